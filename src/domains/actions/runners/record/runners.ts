/** Verbs on runners. Each is one transaction. */
import { WAITING_HINT } from '#domains/actions/runs'
import type { Scope } from '#domains/code/scopes'
import { afterCommit, type Context, transact } from '#platform/context'
import { notFound } from '#platform/problem'
import { findRunner, updateRunner } from './store.ts'
import type { RunnerRow } from './tables.ts'

/** The site scope has access to all runners, other scopes only to their own. */
export async function getRunner(ctx: Context, scope: Scope, id: number): Promise<RunnerRow> {
  const runner = await findRunner(ctx.db, id)
  const { kind, owner_id, repository_id } = scope
  const isTheirs = runner?.owner_id === owner_id && runner.repository_id === repository_id
  if (runner === undefined || !(kind === 'site' || isTheirs)) throw notFound('runner', id)
  return runner
}

export async function setDisabled(ctx: Context, { id }: RunnerRow, isDisabled: boolean): Promise<RunnerRow> {
  return transact(ctx, async (ctx) => {
    const edited = await updateRunner(ctx.db, id, { is_disabled: isDisabled }, ctx.now())
    if (edited === undefined) throw notFound('runner', id)
    // The runner may be waiting on a node for jobs it was kept from.
    if (!isDisabled) afterCommit(ctx, () => ctx.bus.publish(WAITING_HINT))
    return edited
  })
}

/** Jobs of the runner stay running until they are declared lost. */
export async function deleteRunner(ctx: Context, { id }: RunnerRow): Promise<void> {
  await transact(ctx, async (ctx) => {
    const now = ctx.now()
    const deleted = await updateRunner(ctx.db, id, { deleted_at: now }, now)
    if (deleted === undefined) throw notFound('runner', id)
  })
}
