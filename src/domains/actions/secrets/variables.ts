/** Variables: the `vars` context of jobs and conditions. Not confidential: every job can read them. */
import type { OwnedScope } from '#domains/code/scopes'
import { type Context, transact } from '#platform/context'
import { isUniqueViolation, type Paged, takePage } from '#platform/db'
import { Problem } from '#platform/problem'
import type { Page } from '#platform/rest'
import { assertName, nameOf } from './names.ts'
import { assertFits, deleteIn, isOf, selectIn } from './store.ts'
import type { VariableRow } from './tables.ts'

export type ListedVariable = Pick<VariableRow, 'owner_id' | 'repository_id' | 'name' | 'data' | 'description'>

export function listVariables(ctx: Context, scope: OwnedScope, page: Page): Promise<Paged<ListedVariable>> {
  return takePage(select(ctx, scope).orderBy('name'), page)
}

export async function getVariable(ctx: Context, scope: OwnedScope, name: string): Promise<ListedVariable> {
  const row = await select(ctx, scope).where('name', '=', nameOf(name)).executeTakeFirst()
  if (row === undefined) throw missing()
  return row
}

interface Given {
  readonly value: string
  readonly description?: string
}

export async function createVariable(
  ctx: Context,
  scope: OwnedScope,
  given: string,
  { value, description = '' }: Given,
): Promise<void> {
  const name = assertName(given)
  const { owner_id, repository_id } = scope
  await transact(ctx, async (ctx) => {
    const added = await ctx.db
      .insertInto('action_variable')
      .values({ owner_id, repository_id, name, data: value, description, created_at: ctx.now() })
      .onConflict((oc) => oc.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added === undefined) throw taken()
    await assertFits(ctx.db, 'action_variable', scope)
  })
}

/** `name` and `description` stay as they are when absent; `value` is always set. */
export async function editVariable(
  ctx: Context,
  scope: OwnedScope,
  old: string,
  { name, value, description }: Given & { readonly name?: string },
): Promise<void> {
  const renamed = name === undefined || name === '' ? {} : { name: assertName(name) }
  const described = description === undefined ? {} : { description }
  await transact(ctx, async (ctx) => {
    const edited = await ctx.db
      .updateTable('action_variable')
      .set({ data: value, ...renamed, ...described })
      .where(isOf(scope))
      .where('name', '=', nameOf(old))
      .returning('id')
      .executeTakeFirst()
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? taken() : error
      })
    if (edited === undefined) throw missing()
    await assertFits(ctx.db, 'action_variable', scope)
  })
}

export async function deleteVariable(ctx: Context, scope: OwnedScope, name: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await deleteIn(ctx.db, 'action_variable', scope, nameOf(name)))) throw missing()
  })
}

function select(ctx: Context, scope: OwnedScope) {
  return selectIn(ctx.db, 'action_variable', scope).select([
    'owner_id',
    'repository_id',
    'name',
    'data',
    'description',
  ])
}

function missing(): Problem {
  return new Problem('not_found', 'variable not found')
}

function taken(): Problem {
  return new Problem('conflict', 'variable name already exists')
}
