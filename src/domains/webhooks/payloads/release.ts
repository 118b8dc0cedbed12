/** A release was published, changed or deleted. */

import { showRelease } from '#domains/releases'
import { findAsOwner } from '#domains/repositories'
import { type About, presentOwned, presentPerson } from './parts.ts'
import type { Payload } from './payload.ts'

export interface ReleaseFacts extends About {
  readonly action: 'published' | 'updated' | 'deleted'
  readonly release_id: number
  /** Of one that is gone, these are left. */
  readonly tag?: string
  readonly title?: string
}

export const releasePayload: Payload<ReleaseFacts> = {
  indent: 2,
  async build(ctx, facts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    const gone = { id: facts.release_id, tag_name: facts.tag, name: facts.title }
    const release = facts.action === 'deleted' ? gone : await showRelease(ctx, repo, facts.release_id)
    if (release === undefined) return null
    return {
      action: facts.action,
      release,
      repository: presentOwned(repo, ctx),
      sender: await presentPerson(ctx, facts.actor_id),
    }
  },
}
