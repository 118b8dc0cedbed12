/** A page of a wiki was written or deleted. */
import { findAsOwner } from '#domains/repositories'
import { type About, presentOwned, presentPerson } from './parts.ts'
import type { Payload } from './payload.ts'

export interface WikiFacts extends About {
  readonly action: 'created' | 'edited' | 'deleted'
  readonly page: string
  readonly comment: string
}

export const wikiPayload: Payload<WikiFacts> = {
  indent: 2,
  async build(ctx, facts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    return {
      action: facts.action,
      repository: presentOwned(repo, ctx),
      sender: await presentPerson(ctx, facts.actor_id),
      page: facts.page,
      comment: facts.comment,
    }
  },
}
