/** Operations on hooks. Each is one transaction. */
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound } from '#platform/problem'
import type { Page } from '#platform/rest'
import { circuitsOf, closeCircuits } from '../deliveries/circuit-breaker.ts'
import { enqueueSend } from '../deliveries/delivery-jobs.ts'
import { HOOKS_MAX } from '../limits.ts'
import type { CreateHook, EditHook } from '../schemas.ts'
import type { HookRow, NewHookRow } from '../tables.ts'
import { editedHook, isForSystem, newHook } from './hook-fields.ts'
import type { HookScope } from './scopes.ts'
import {
  copyRows,
  countHooks,
  deleteHookRow,
  findHook,
  IS_DEFAULT,
  insertHook,
  isOnlyIn,
  listHookRows,
  updateHook,
} from './store.ts'

export function listHooks(ctx: Context, scope: HookScope, page: Page) {
  return listHookRows(ctx.db, scope, page)
}

export async function createHook(ctx: Context, scope: HookScope, input: CreateHook): Promise<HookRow> {
  const given = newHook(ctx, input)
  const isSystem = isForSystem(input.config)
  return transact(ctx, async (ctx) => {
    if ((await countHooks(ctx.db, scope)) >= HOOKS_MAX) throw invalid('too many webhooks', { max: HOOKS_MAX })
    const now = ctx.now()
    return insertHook(ctx.db, { ...given, ...homeOf(scope, isSystem), created_at: now, updated_at: now })
  })
}

export async function getHook(ctx: Context, scope: HookScope, id: number): Promise<HookRow> {
  const hook = await findHook(ctx.db, scope, id)
  if (hook === undefined) throw notFound('webhook', id)
  return hook
}

export async function editHook(ctx: Context, hook: HookRow, input: EditHook): Promise<HookRow> {
  const patch = editedHook(ctx, hook, input)
  return transact(ctx, async (ctx) => {
    const edited = await updateHook(ctx.db, hook.id, { ...patch, updated_at: ctx.now() })
    if (edited === undefined) throw notFound('webhook', hook.id)
    // The edit may have fixed the cause of failures.
    await closeCircuits(ctx, [circuitsOf(edited.id, edited.url).hook])
    await enqueueSend(ctx, [edited.id])
    return edited
  })
}

export async function deleteHook(ctx: Context, scope: HookScope, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await deleteHookRow(ctx.db, scope, id))) throw notFound('webhook', id)
  })
}

/** Copies every default hook, in the transaction that creates the repository. */
export async function copyDefaultHooks(ctx: TxContext, repositoryId: number): Promise<void> {
  await copyRows(ctx.db, IS_DEFAULT, { repositoryId, now: ctx.now() })
}

/** Copies a template's hooks, in the transaction that generates the repository. */
export async function copyHooks(ctx: TxContext, fromId: number, toId: number): Promise<void> {
  await copyRows(ctx.db, isOnlyIn(fromId, toId), { repositoryId: toId, now: ctx.now() })
}

function homeOf(
  scope: HookScope,
  isSystem: boolean,
): Pick<NewHookRow, 'scope' | 'repository_id' | 'owner_id'> {
  const { kind, repository_id, owner_id } = scope
  const names = { repository: 'repository', account: 'owner', site: isSystem ? 'system' : 'default' } as const
  return { scope: names[kind], repository_id, owner_id }
}
