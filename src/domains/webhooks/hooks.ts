/** What can be done with hooks. Each verb is one transaction. */
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound } from '#platform/problem'
import type { Page } from '#platform/rest'
import { circuitsOf, closeCircuits } from './circuit.ts'
import { editedHook, isForSystem, newHook } from './hook-fields.ts'
import { HOOKS_MAX } from './limits.ts'
import type { HookPlace } from './places.ts'
import type { CreateHook, EditHook } from './schemas.ts'
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
import type { HookRow, NewHookRow } from './tables.ts'
import { wakeNow } from './wake.ts'

export function listHooks(ctx: Context, place: HookPlace, page: Page) {
  return listHookRows(ctx.db, place, page)
}

export async function createHook(ctx: Context, place: HookPlace, input: CreateHook): Promise<HookRow> {
  const given = newHook(ctx, input)
  const isSystem = isForSystem(input.config)
  return transact(ctx, async (ctx) => {
    if ((await countHooks(ctx.db, place)) >= HOOKS_MAX) throw invalid('too many webhooks', { max: HOOKS_MAX })
    const now = ctx.now()
    return insertHook(ctx.db, { ...given, ...homeOf(place, isSystem), created_at: now, updated_at: now })
  })
}

export async function getHook(ctx: Context, place: HookPlace, id: number): Promise<HookRow> {
  const hook = await findHook(ctx.db, place, id)
  if (hook === undefined) throw notFound('webhook', id)
  return hook
}

export async function editHook(ctx: Context, hook: HookRow, input: EditHook): Promise<HookRow> {
  const patch = editedHook(ctx, hook, input)
  return transact(ctx, async (ctx) => {
    const edited = await updateHook(ctx.db, hook.id, { ...patch, updated_at: ctx.now() })
    if (edited === undefined) throw notFound('webhook', hook.id)
    // Whatever kept it from being told may have been put right.
    await closeCircuits(ctx, [circuitsOf(edited.id, edited.url).hook])
    await wakeNow(ctx, [edited.id])
    return edited
  })
}

export async function deleteHook(ctx: Context, place: HookPlace, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await deleteHookRow(ctx.db, place, id))) throw notFound('webhook', id)
  })
}

/** Part of the transaction that makes a repository: every default hook gets a copy there. */
export async function copyDefaultHooks(ctx: TxContext, repositoryId: number): Promise<void> {
  await copyRows(ctx.db, IS_DEFAULT, { repositoryId, now: ctx.now() })
}

/** Part of the transaction that makes a repository from a template whose hooks were asked for, too. */
export async function copyHooks(ctx: TxContext, fromId: number, toId: number): Promise<void> {
  await copyRows(ctx.db, isOnlyIn(fromId, toId), { repositoryId: toId, now: ctx.now() })
}

function homeOf(
  place: HookPlace,
  isSystem: boolean,
): Pick<NewHookRow, 'scope' | 'repository_id' | 'owner_id'> {
  const home = { repository_id: null, owner_id: null }
  if (place.kind === 'repository') return { ...home, scope: 'repository', repository_id: place.repositoryId }
  if (place.kind === 'owner') return { ...home, scope: 'owner', owner_id: place.ownerId }
  return { ...home, scope: isSystem ? 'system' : 'default' }
}
