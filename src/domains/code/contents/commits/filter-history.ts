/** The history of a branch, folder or file, filtered by author, message and time. */
import { type Static, Type } from 'typebox'
import { findEmails, findVisible } from '#domains/people/users'
import { listHistory } from '#git'
import type { Context } from '#platform/context'
import type { Paged } from '#platform/db'
import { instantOf, pageFields, pageOf } from '#platform/rest'
import { assertFilled, type Code } from '../open-code.ts'
import type { Commit } from './commit-wire.ts'
import { assertKnown, historyOf } from './commits.ts'
import { showCommits } from './show-commits.ts'

/** In one line: git takes each line of a pattern as one of several. */
const Pattern = Type.String({ maxLength: 200, pattern: '^[^\\n\\0]+$' })

export type HistoryQuery = Static<typeof HistoryQuery>
export const HistoryQuery = Type.Object({
  ...pageFields,
  sha: Type.String(),
  path: Type.Optional(Type.String()),
  since: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  /** A login, or a part of the name or email address in the commit. */
  author: Type.Optional(Pattern),
  /** A part of the message. */
  q: Type.Optional(Pattern),
})

const DETAILS = { stat: false, files: false }

export async function showHistory(ctx: Context, code: Code, query: HistoryQuery): Promise<Paged<Commit>> {
  assertFilled(code)
  const path = query.path?.replace(/\/+$/, '') ?? ''
  const [since, until] = [instantOf('since', query.since), instantOf('until', query.until)]
  const history = await historyOf(ctx, code, { sha: query.sha }, path)
  const filter = {
    ...(since && { since }),
    ...(until && { until }),
    ...(query.author !== undefined && { authors: await patternsOf(ctx, query.author) }),
    ...(query.q !== undefined && { text: query.q }),
  }
  const { offset, limit } = pageOf(ctx, query)
  const window = { skip: offset, limit, withStats: false, withFiles: false }
  const { commits, total } = await listHistory(ctx, code.storage_id, { ...history, ...filter }, window)
  if (path !== '' && total === 0) await assertKnown(ctx, code, history, path)
  return { items: await showCommits(ctx, code, commits, DETAILS), total }
}

/** For a login also the addresses by which lists of commits name this account. */
async function patternsOf(ctx: Context, author: string): Promise<string[]> {
  const account = await findVisible(ctx, author)
  if (account === undefined) return [author]
  const emails = await findEmails(ctx.db, account.id)
  const confirmed = emails.filter(({ is_verified }) => is_verified).map(({ email }) => email)
  const hidden = `${account.login}@${ctx.site.noreplyDomain}`
  return [author, ...[...confirmed, hidden, `${account.id}+${hidden}`].map((email) => `<${email}>`)]
}
