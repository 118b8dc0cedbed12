/** The create and delete payloads of branches and tags. */
import { findAsOwner, presentBare, presentOwned, presentSender } from '#domains/code/repositories'
import { payload, type WebhookFacts } from '#slices'

interface RefFacts extends WebhookFacts {
  readonly ref: string
  readonly sha: string
}

export const createPayload = payload({
  type: 'create',
  indent: 2,
  async build(ctx, facts: RefFacts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    return {
      sha: facts.sha,
      ...shortRef(facts.ref),
      repository: presentBare(repo, ctx),
      sender: await presentSender(ctx, facts.actor_id),
    }
  },
  describe: ({ ref, ref_type, repository }) => ({
    title: `[${repository.full_name}] ${ref_type} ${ref} created`,
    color: 'green',
  }),
})

export const deletePayload = payload({
  type: 'delete',
  indent: 2,
  async build(ctx, facts: RefFacts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    return {
      ...shortRef(facts.ref),
      pusher_type: 'user',
      repository: presentOwned(repo, ctx),
      sender: await presentSender(ctx, facts.actor_id),
    }
  },
  describe: ({ ref, ref_type, repository }) => ({
    title: `[${repository.full_name}] ${ref_type} ${ref} deleted`,
    color: 'red',
  }),
})

function shortRef(ref: string) {
  const [, place, name] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  return { ref: name ?? ref, ref_type: place === 'heads' ? 'branch' : 'tag' }
}
