/** A check said something about a commit. */
import { findAsOwner } from '#domains/repositories'
import { findStatus } from '#domains/statuses'
import { findCommit } from '#git'
import { time } from '#platform/rest'
import { presentCommits } from './commits.ts'
import { type About, presentOwned, presentPerson } from './parts.ts'
import type { Payload } from './payload.ts'
import { orElse } from './unreadable.ts'

export interface StatusFacts extends About {
  readonly status_id: number
}

export const statusPayload: Payload<StatusFacts> = {
  indent: 2,
  async build(ctx, facts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    const status = await findStatus(ctx.db, facts.status_id)
    if (repo === undefined || status === undefined) return null
    const repository = presentOwned(repo, ctx)
    const found = await findCommit(ctx, repo.storage_id, status.oid).catch(orElse(() => undefined))
    const [commit = null] =
      found === undefined
        ? []
        : await presentCommits(
            ctx,
            [{ ...found, stats: null, files: null, isFilesTruncated: false }],
            repository.html_url,
          )
    return {
      commit,
      context: status.context,
      created_at: time(status.created_at),
      description: status.description,
      id: status.id,
      repository,
      sender: await presentPerson(ctx, facts.actor_id),
      sha: status.oid,
      state: status.state,
      target_url: status.target_url,
      updated_at: null,
    }
  },
}
