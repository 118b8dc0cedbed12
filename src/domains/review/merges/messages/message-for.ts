/** The message of a merge commit: the merger's text, else the repository's template, else the default. */

import { getRepository } from '#domains/code/repositories'
import { findWords } from '#domains/instance/markup'
import { may } from '#domains/people/access'
import { findAccountById } from '#domains/people/users'
import type { PullRow } from '#domains/review/pulls'
import { listCommits, type Person } from '#git'
import type { Context } from '#platform/context'
import type { MergeTarget } from '../merging/merge-target.ts'
import type { OwnStyle } from '../tables.ts'
import { bodyOf, coAuthorsOf, joined, type PullFacts, titleOf } from './default-message.ts'
import { findTemplate } from './find-template.ts'
import { fillIn } from './template.ts'

interface Plan {
  readonly pull: PullRow
  readonly target: MergeTarget
  readonly baseOid: string
  readonly order: { readonly style: OwnStyle; readonly title: string; readonly message: string }
}

/** The newest commits are listed. */
const COMMITS_MAX = 100

export async function messageFor(
  ctx: Context,
  plan: Plan,
  people: { readonly author: Person; readonly committer: Person },
): Promise<string> {
  const { order, target, pull, baseOid } = plan
  // These styles create no merge commit.
  if (order.style === 'rebase' || order.style === 'fast-forward-only') return ''
  const facts = await findFacts(ctx, plan)
  const template = order.title === '' ? await findTemplate(ctx, target.repo, baseOid, order.style) : undefined
  const filled = template === undefined ? undefined : fillIn(template, facts)
  const title = order.title || filled?.title || titleOf(order.style, facts)
  if (order.style !== 'squash') return joined(title, order.message || filled?.body)
  const window = { skip: 0, limit: COMMITS_MAX, withStats: false, withFiles: false }
  const history = { start: pull.head_oid, not: [baseOid] }
  const commits = (await listCommits(ctx, target.repo.storage_id, history, window)).toReversed()
  const own = order.title === '' ? bodyOf(commits) : ''
  const body = order.message || (filled?.body ?? own)
  return joined(title, body, coAuthorsOf(commits, people, body))
}

async function findFacts(ctx: Context, plan: Plan): Promise<PullFacts> {
  const { pull, target } = plan
  const { repo, issue } = target
  const { references } = findWords(`${issue.title}\n\n${issue.body}`, ctx.site.url)
  return {
    title: issue.title,
    description: issue.body,
    number: pull.number,
    address: `${ctx.site.url}/${repo.owner.login}/${repo.name}/pulls/${pull.number}`,
    base: { owner: repo.owner.login, name: repo.name, branch: pull.base_branch },
    head: await findHead(ctx, plan),
    isOwn: pull.head_repository_id === repo.id,
    poster: (await findAccountById(ctx.db, issue.author_id ?? 0))?.login ?? '',
    closing: references.filter(({ action }) => action === 'closes'),
  }
}

/** Owner and name are empty for a head repository that the merger may not see. */
async function findHead(ctx: Context, { pull, target }: Plan): Promise<PullFacts['head']> {
  const { head_repository_id: id, head_branch: branch } = pull
  const head = id === null || id === target.repo.id ? target.repo : await getRepository(ctx, id)
  if (id === null || !may(head.access, 'see')) return { owner: '', name: '', branch }
  return { owner: head.owner.login, name: head.name, branch }
}
