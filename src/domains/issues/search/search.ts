/** Searching issues and pull requests in all repositories that the caller may read them in. */
import type { RawBuilder } from 'kysely'
import { findTeamByName } from '#domains/orgs'
import { loadReadable } from '#domains/repositories'
import { type Account, findVisible } from '#domains/users'
import type { Context } from '#platform/context'
import type { Paged } from '#platform/db'
import { invalid, notFound, Problem } from '#platform/problem'
import type { Page } from '#platform/rest'
import { instantOf } from '#platform/rest'
import { showReadable } from '../records/across.ts'
import type { Issue } from '../records/wire.ts'
import {
  hasLabelCalled,
  hasMilestoneCalled,
  type IssueFilter,
  isAskedOf,
  isJoinedBy,
  isOfOwner,
  isOfTeam,
} from './filter.ts'
import type { SearchQuery } from './schemas.ts'
import { isLabelKnown, isMilestoneKnown, searchIssues } from './store.ts'
import { loadMentions, loadSays } from './text.ts'

const NAMES_MAX = 50

/** A fixed number of queries, whatever is asked for. */
export async function search(ctx: Context, query: SearchQuery, page: Page): Promise<Paged<Issue>> {
  const readable = await loadReadable(ctx, ['issues', 'pulls'])
  const { ids, total } = await searchIssues(ctx.db, readable, await filterOf(ctx, query), page)
  const shown = await showReadable(ctx, ids)
  return { items: ids.flatMap((id) => shown.get(id) ?? []), total }
}

async function filterOf(ctx: Context, query: SearchQuery): Promise<IssueFilter> {
  const { actor } = ctx
  const mine = (flag: boolean | undefined) => (flag === true ? (actor?.id ?? null) : null)
  const author = await personOf(ctx, query.created_by)
  return {
    isClosed: query.state === 'all' ? null : query.state === 'closed',
    isPull: query.type === 'pulls' ? true : query.type === 'issues' ? false : null,
    authorId: mine(query.created) ?? author?.id ?? null,
    assigneeId: mine(query.assigned),
    since: instantOf('since', query.since),
    before: instantOf('before', query.before),
    conditions: [
      ...(await ownerConditions(ctx, query)),
      ...(await namedConditions(ctx, query)),
      ...(await textConditions(ctx, query)),
      ...(actor !== null && query.reviewed === true ? [isJoinedBy(actor.id)] : []),
      ...(actor !== null && query.review_requested === true ? [isAskedOf(actor.id)] : []),
    ],
  }
}

/** Whoever a query names. */
export async function personOf(ctx: Context, login = ''): Promise<Account | undefined> {
  if (login === '') return undefined
  const person = await findVisible(ctx, login)
  if (person === undefined) throw notFound('user', login)
  return person
}

/** Compat: an owner or a team that is not there makes no sense, rather than finding nothing. */
async function ownerConditions(
  ctx: Context,
  { owner = '', team = '' }: SearchQuery,
): Promise<RawBuilder<boolean>[]> {
  if (owner === '' && team !== '')
    throw new Problem('malformed', 'owner organisation is required for filtering on team')
  if (owner === '') return []
  const account = await findVisible(ctx, owner)
  if (account === undefined) throw new Problem('malformed', 'user does not exist')
  if (team === '') return [isOfOwner(account.id)]
  const found = await findTeamByName(ctx.db, account.id, team)
  if (found === undefined) throw new Problem('malformed', 'team does not exist')
  return [isOfTeam(found.id)]
}

/** Compat: names that nobody knows are passed over; where nobody knows any, they do not narrow the search. */
async function namedConditions(
  { db }: Context,
  { labels, milestones }: SearchQuery,
): Promise<RawBuilder<boolean>[]> {
  const names = namesIn(labels)
  const titles = namesIn(milestones?.toLowerCase())
  return [
    ...(names.length > 0 && (await isLabelKnown(db, names)) ? [hasLabelCalled(names)] : []),
    ...(titles.length > 0 && (await isMilestoneKnown(db, titles)) ? [hasMilestoneCalled(titles)] : []),
  ]
}

async function textConditions({ db, actor }: Context, query: SearchQuery): Promise<RawBuilder<boolean>[]> {
  const text = (query.q ?? '').trim()
  return [
    ...(text === '' ? [] : [await loadSays(db, text)]),
    ...(query.mentioned === true && actor !== null ? [await loadMentions(db, actor.login)] : []),
  ]
}

export function namesIn(list = ''): string[] {
  const names = list.split(',').map((name) => name.trim())
  if (names.length > NAMES_MAX) throw invalid('too many names', { max: NAMES_MAX })
  return [...new Set(names.filter(Boolean))]
}
