/** The webhook payload of a repository: created, deleted or renamed. */
import { findAccountById, presentUser, type User } from '#domains/people/users'
import type { Context } from '#platform/context'
import { sshAddress } from '#platform/site'
import { payload, type WebhookFacts } from '#slices'
import { findAsOwner } from '../record/load.ts'
import { presentOwned, presentSender } from './parts.ts'

export interface RepositoryFacts extends WebhookFacts {
  readonly action: 'created' | 'deleted' | 'renamed'
  readonly owner_id: number
  readonly name: string
  readonly old_name?: string
}

export const repositoryPayload = payload({
  type: 'repository',
  indent: 1,
  async build(ctx, facts: RepositoryFacts) {
    const owner = await findAccountById(ctx.db, facts.owner_id)
    if (owner === undefined) return null
    const organization = presentUser(owner, null, ctx.site)
    const repository = await presentRecord(ctx, facts, organization)
    if (repository === null) return null
    return {
      action: facts.action,
      repository,
      organization,
      sender: await presentSender(ctx, facts.actor_id),
      // Compat: the reference sends these label fields here, too.
      ...(facts.old_name === undefined
        ? {}
        : { changes: { name: { from: facts.old_name }, added_labels: null, removed_labels: null } }),
    }
  },
  describe: ({ action, repository }) => ({
    title: `[${repository.full_name}] Repository ${action}`,
    color: action === 'deleted' ? 'red' : 'green',
  }),
})

async function presentRecord(ctx: Context, facts: RepositoryFacts, owner: User) {
  if (facts.action === 'deleted') return presentGone(ctx, facts, owner)
  const repo = await findAsOwner(ctx, facts.repository_id)
  return repo === undefined ? null : presentOwned(repo, ctx)
}

/** Of a deleted repository only the name and the URLs remain. */
function presentGone({ site }: Context, { repository_id, name }: RepositoryFacts, owner: User) {
  const path = `${owner.login}/${name}`
  return {
    id: repository_id,
    owner,
    name,
    full_name: path,
    html_url: `${site.url}/${path}`,
    url: `${site.apiUrl}/repos/${path}`,
    ssh_url: sshAddress(site, `${path}.git`),
    clone_url: `${site.url}/${path}.git`,
  }
}
