/** Commits: list and get. */
import type { Static } from 'typebox'
import {
  type CommitRecord,
  countCommits,
  type History,
  type LoggedCommit,
  listCommits,
  listHistory,
} from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { instantOf, type Page, pageOf } from '#platform/rest'
import { assertFilled, type Code, getRevision } from '../open-code.ts'
import type { CommitQuery, CommitsQuery } from '../schemas.ts'
import { judge, type Trusting } from '../signatures/verification.ts'
import type { CommitParts } from './commit-wire.ts'
import { findPeople } from './people.ts'

export type CommitDetails = Static<typeof CommitQuery>

export interface CommitPage {
  readonly commits: readonly LoggedCommit[]
  readonly total: number
}

export async function listPage(
  ctx: Context,
  code: Code,
  query: Static<typeof CommitsQuery>,
): Promise<CommitPage> {
  const since = instantOf('since', query.since)
  const until = instantOf('until', query.until)
  assertFilled(code)
  const path = query.path?.replace(/\/+$/, '') ?? ''
  const range = { ...(since && { since }), ...(until && { until }) }
  const history = await historyOf(ctx, code, query, path)
  const { offset, limit } = pageIn(ctx, query, path)
  const details = { withStats: query.stat ?? true, withFiles: query.files ?? true }
  const window = { skip: offset, limit, ...details }
  const page = await listHistory(ctx, code.storage_id, { ...history, ...range }, window)
  if (path !== '' && page.total === 0) await assertKnown(ctx, code, history, path)
  return page
}

/** Compat: a path that no commit ever changed is not found; an empty time range is an empty list. */
export async function assertKnown(ctx: Context, code: Code, history: History, path: string): Promise<void> {
  if ((await countCommits(ctx, code.storage_id, history)) === 0) throw notFound('path', path)
}

export async function historyOf(
  ctx: Context,
  code: Code,
  { sha, not }: Pick<Static<typeof CommitsQuery>, 'sha' | 'not'>,
  path: string,
): Promise<History> {
  const { oid } = await getRevision(ctx, code, sha)
  const excluded = not === undefined || not === '' ? undefined : await getRevision(ctx, code, not)
  return {
    start: oid,
    ...(excluded && { not: [excluded.oid] }),
    ...(path === '' ? {} : { paths: [path] }),
  }
}

/** Compat: with a path, the limit is always the maximum. */
function pageIn(ctx: Context, query: { page?: number; limit?: number }, path: string): Page {
  return pageOf(ctx, path === '' ? query : { ...query, limit: ctx.config['http.page_max'] })
}

export async function getCommit(
  ctx: Context,
  code: Code,
  name: string,
  details: CommitDetails,
): Promise<LoggedCommit> {
  const { oid } = await getRevision(ctx, code, name)
  const window = { skip: 0, limit: 1, withStats: details.stat ?? true, withFiles: details.files ?? true }
  const [commit] = await listCommits(ctx, code.storage_id, { start: oid }, window)
  if (commit === undefined) throw notFound('commit', name)
  return commit
}

/** Accounts and signature verdicts of commits, loaded in sets: the number of queries does not grow with the page. */
export async function loadParts(
  ctx: Context,
  repo: Trusting,
  commits: readonly CommitRecord[],
  details: CommitDetails,
): Promise<CommitParts> {
  const people = await findPeople(
    ctx,
    commits.flatMap(({ author, committer }) => [author.email, committer.email]),
  )
  if (details.verification === false) return { people, verdicts: null }
  const signables = commits.map(({ oid, signature, committer }) => ({
    oid,
    signature,
    email: committer.email,
  }))
  return { people, verdicts: await judge(ctx, repo, signables, people) }
}
