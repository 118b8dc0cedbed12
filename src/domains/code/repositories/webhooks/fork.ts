/** The webhook payload of a fork. */
import { payload, type WebhookFacts } from '#slices'
import { findAsOwner } from '../record/load.ts'
import { presentOwned, presentSender } from './parts.ts'

/** `repository_id` is the forked repository, not the fork. */
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
      // Compat: `forkee` is the repository that was forked.
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
