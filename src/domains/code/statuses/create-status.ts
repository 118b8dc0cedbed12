/** Creates a commit status. */

import type { CanWrite } from '#domains/code/repositories'
import { emit } from '#events'
import { type Context, transact } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import { findCommitOid } from './find-commit.ts'
import type { CreateStatus } from './schemas.ts'
import { insertStatus } from './store.ts'
import type { StatusRow } from './tables.ts'

export async function createStatus(
  ctx: Context,
  repo: CanWrite<'code'>,
  actor: SignedIn,
  revision: string,
  input: CreateStatus,
): Promise<StatusRow> {
  const oid = await findCommitOid(ctx, repo, revision, { withLost: true })
  return transact(ctx, async (ctx) => {
    const status = await insertStatus(ctx.db, {
      repository_id: repo.id,
      oid,
      context: input.context ?? '',
      state: input.state,
      description: input.description ?? '',
      target_url: input.target_url ?? '',
      creator_id: actor.id,
      created_at: ctx.now(),
    })
    await emit(ctx, 'status.created', {
      repository_id: repo.id,
      status_id: status.id,
      actor_id: actor.id,
    })
    return status
  })
}
