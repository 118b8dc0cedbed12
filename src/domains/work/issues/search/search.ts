/** Searches issues and pull requests in all repositories that the caller may read. */
import type { RawBuilder } from 'kysely'
import { loadReadable } from '#domains/code/repositories'
import { findTeamByName } from '#domains/people/orgs'
import { type Account, findVisible } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Paged } from '#platform/db'
import { invalid, Problem } from '#platform/problem'
import type { Page } from '#platform/rest'
import { instantOf } from '#platform/rest'
import { showReadable } from '../records/across.ts'
import { seesHidden } from '../records/hidden.ts'
import type { IssueSort } from '../records/store.ts'
import type { Issue } from '../records/wire.ts'
import {
  hasLabelCalled,
  hasMilestoneCalled,
  type IssueFilter,
  isJoinedBy,
  isOfOwner,
  isOfTeam,
  isReviewRequestedFrom,
} from './filter.ts'
import type { SearchQuery } from './schemas.ts'
import { searchIssues } from './store.ts'
import { loadMentions, loadSays } from './text.ts'

const NAMES_MAX = 50

/** A fixed number of queries for any query. */
export async function search(
  ctx: Context,
  query: SearchQuery,
  page: Page,
  sort: IssueSort = 'latest',
): Promise<Paged<Issue>> {
  const readable = await loadReadable(ctx, ['issues', 'pulls'])
  const { ids, total } = await searchIssues(ctx.db, readable, await filterOf(ctx, query), page, sort)
  const shown = await showReadable(ctx, ids)
  return { items: ids.flatMap((id) => shown.get(id) ?? []), total }
}

async function filterOf(ctx: Context, query: SearchQuery): Promise<IssueFilter> {
  const { actor } = ctx
  const mine = (flag: boolean | undefined) => (flag === true ? (actor?.id ?? null) : null)
  const author = query.created_by ? await accountNamed(ctx, query.created_by) : undefined
  return {
    isClosed: wordOf('state', query.state, CLOSED),
    isPull: wordOf('type', query.type, PULLS),
    authorId: mine(query.created) ?? author?.id ?? null,
    assigneeId: mine(query.assigned),
    since: instantOf('since', query.since),
    before: instantOf('before', query.before),
    showsHidden: seesHidden(ctx),
    conditions: [
      ...(await ownerConditions(ctx, query)),
      ...namedConditions(query),
      ...(await textConditions(ctx, query)),
      ...(actor !== null && query.reviewed === true ? [isJoinedBy(actor.id)] : []),
      ...(actor !== null && query.review_requested === true ? [isReviewRequestedFrom(actor.id)] : []),
    ],
  }
}

const CLOSED: Readonly<Record<string, boolean | null>> = { '': false, open: false, closed: true, all: null }
const PULLS: Readonly<Record<string, boolean | null>> = { '': null, issues: false, pulls: true }

/** An unknown value is a client error (D37). */
function wordOf(
  name: string,
  text: string | undefined,
  words: Readonly<Record<string, boolean | null>>,
): boolean | null {
  const word = text ?? ''
  if (!Object.hasOwn(words, word)) throw new Problem('malformed', `${name}: ${word} is none of its words`)
  return words[word] ?? null
}

/** The specification lists no 404 here (D37): an unknown account is a client error. */
async function accountNamed(ctx: Context, login: string): Promise<Account> {
  const account = await findVisible(ctx, login)
  if (account === undefined) throw new Problem('malformed', 'user does not exist')
  return account
}

/** Compat: an unknown owner or team is an error, not an empty result. */
async function ownerConditions(
  ctx: Context,
  { owner = '', team = '' }: SearchQuery,
): Promise<RawBuilder<boolean>[]> {
  if (owner === '' && team !== '')
    throw new Problem('malformed', 'owner organisation is required for filtering on team')
  if (owner === '') return []
  const account = await accountNamed(ctx, owner)
  if (team === '') return [isOfOwner(account.id)]
  const found = await findTeamByName(ctx.db, account.id, team)
  if (found === undefined) throw new Problem('malformed', 'team does not exist')
  return [isOfTeam(found.id)]
}

/** Issues with any of the names; unknown names find nothing. */
function namedConditions({ labels, milestones }: SearchQuery): RawBuilder<boolean>[] {
  const names = namesIn(labels)
  const titles = namesIn(milestones?.toLowerCase())
  return [
    ...(names.length > 0 ? [hasLabelCalled(names)] : []),
    ...(titles.length > 0 ? [hasMilestoneCalled(titles)] : []),
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
