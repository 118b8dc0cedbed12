/** What is left of a pull request that was deleted: whoever deletes one does not want it to be fetched. */
import { dropRefs } from '#git'
import type { TxContext } from '#platform/context'
import { refsBelow } from './refs.ts'

/** Of a repository that is deleted meanwhile, nothing is left. */
export async function dropPullRefs(ctx: TxContext, repositoryId: number, number: number): Promise<void> {
  const repo = await ctx.db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  if (repo !== undefined) await dropRefs(ctx, repo.storage_id, refsBelow(number))
}
