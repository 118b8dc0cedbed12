/** A repository was forked. */
import { payload, type WebhookFacts } from '#slices'
import { findAsOwner } from '../record/load.ts'
import { presentOwned, presentSender } from './parts.ts'

/** What it is about is what was forked, not what came of it. */
interface ForkFacts extends WebhookFacts {
  readonly fork_id: number
}

export const forkPayload = payload({
  type: 'fork',
  indent: 2,
  async build(ctx, facts: ForkFacts) {
    const source = await findAsOwner(ctx, facts.repository_id)
    const fork = await findAsOwner(ctx, facts.fork_id)
    if (source === undefined || fork === undefined) return null
    return {
      // Compat: the forkee is what was forked.
      forkee: presentOwned(source, ctx),
      repository: presentOwned(fork, ctx),
      sender: await presentSender(ctx, facts.actor_id),
    }
  },
  describe: ({ forkee, repository }) => ({
    title: `${forkee.full_name} is forked to ${repository.full_name}`,
    color: 'green',
  }),
})
