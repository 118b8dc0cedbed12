/** A repository was forked. */
import { findAsOwner } from '#domains/repositories'
import { type About, presentOwned, presentPerson } from './parts.ts'
import type { Payload } from './payload.ts'

/** What it is about is what was forked, not what came of it. */
export interface ForkFacts extends About {
  readonly fork_id: number
}

export const forkPayload: Payload<ForkFacts> = {
  indent: 2,
  async build(ctx, facts) {
    const source = await findAsOwner(ctx, facts.repository_id)
    const fork = await findAsOwner(ctx, facts.fork_id)
    if (source === undefined || fork === undefined) return null
    return {
      // Compat: the forkee is what was forked.
      forkee: presentOwned(source, ctx),
      repository: presentOwned(fork, ctx),
      sender: await presentPerson(ctx, facts.actor_id),
    }
  },
}
