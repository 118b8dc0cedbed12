/** Disabled workflows. */
import type { CanWrite } from '#domains/code/repositories'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'

export async function listOff(db: Db, repositoryId: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('action_workflow_off')
    .select('workflow_file')
    .where('repository_id', '=', repositoryId)
    .execute()
  return new Set(rows.map(({ workflow_file }) => workflow_file))
}

export async function switchWorkflow(
  ctx: Context,
  repo: CanWrite<'actions'>,
  workflow_file: string,
  isOn: boolean,
): Promise<void> {
  const row = { repository_id: repo.id, workflow_file }
  await transact(ctx, async (ctx) => {
    if (isOn)
      await ctx.db
        .deleteFrom('action_workflow_off')
        .where('repository_id', '=', row.repository_id)
        .where('workflow_file', '=', workflow_file)
        .execute()
    else
      await ctx.db
        .insertInto('action_workflow_off')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  })
}
