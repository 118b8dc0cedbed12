/** A branch or a tag came or went. */
import { findAsOwner } from '#domains/repositories'
import { type About, presentBare, presentOwned, presentPerson } from './parts.ts'
import type { Payload } from './payload.ts'

export interface RefFacts extends About {
  readonly ref: string
  readonly sha: string
}

export const createPayload: Payload<RefFacts> = {
  indent: 2,
  async build(ctx, facts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    return {
      sha: facts.sha,
      ...shortRef(facts.ref),
      repository: presentBare(repo, ctx),
      sender: await presentPerson(ctx, facts.actor_id),
    }
  },
}

export const deletePayload: Payload<RefFacts> = {
  indent: 2,
  async build(ctx, facts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    return {
      ...shortRef(facts.ref),
      pusher_type: 'user',
      repository: presentOwned(repo, ctx),
      sender: await presentPerson(ctx, facts.actor_id),
    }
  },
}

function shortRef(ref: string) {
  const [, place, name] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  return { ref: name ?? ref, ref_type: place === 'heads' ? 'branch' : 'tag' }
}
