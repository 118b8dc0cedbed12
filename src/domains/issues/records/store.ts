/** SQL on issues. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { CUSTOM_PLAN, type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { IssuePatch, IssueRow, NewIssueRow } from '../tables.ts'

/** Null or empty: whatever it is. */
export interface IssueFilter {
  readonly isClosed: boolean | null
  readonly isPull: boolean | null
  /** One of each, by the names that were asked for. */
  readonly labelIds: readonly (readonly number[])[]
  /** Any of them. */
  readonly milestoneIds: readonly number[]
  readonly authorId: number | null
  readonly assigneeId: number | null
  readonly mentioned: string
  readonly words: string
  readonly since: Date | null
  readonly before: Date | null
}

/** Invariant: given once. Whoever takes one has the counter of the repository to themselves until they are done. */
export async function takeNumber(tx: Tx, repositoryId: number): Promise<number> {
  const { last } = await tx
    .insertInto('issue_number')
    .values({ repository_id: repositoryId, last: 1 })
    .onConflict((conflict) =>
      conflict.column('repository_id').doUpdateSet((eb) => ({ last: eb('issue_number.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

export function insertIssue(tx: Tx, row: NewIssueRow): Promise<IssueRow> {
  return tx.insertInto('issue').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateIssue(tx: Tx, id: number, patch: IssuePatch): Promise<IssueRow> {
  return tx.updateTable('issue').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteIssueRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('issue').where('id', '=', id).execute()
}

export function findIssue(db: Db, repositoryId: number, number: number): Promise<IssueRow | undefined> {
  return selectIssue(db, repositoryId, number).executeTakeFirst()
}

/** Whoever changes an issue holds its lock, so that changes come one after the other. */
export function lockIssue(tx: Tx, repositoryId: number, number: number): Promise<IssueRow | undefined> {
  return selectIssue(tx, repositoryId, number).forNoKeyUpdate().executeTakeFirst()
}

function selectIssue(db: Db, repositoryId: number, number: number) {
  return db
    .selectFrom('issue')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
}

/** Custom plan: which index is best depends on what is asked for. */
export function selectIssues(db: Db, repositoryId: number, filter: IssueFilter) {
  let issues = db.selectFrom('issue').where('repository_id', '=', repositoryId).modifyEnd(CUSTOM_PLAN)
  if (filter.isClosed !== null) issues = issues.where('is_closed', '=', filter.isClosed)
  if (filter.isPull !== null) issues = issues.where('is_pull', '=', filter.isPull)
  if (filter.authorId !== null) issues = issues.where('author_id', '=', filter.authorId)
  if (filter.since !== null) issues = issues.where('updated_at', '>=', filter.since)
  if (filter.before !== null) issues = issues.where('updated_at', '<=', filter.before)
  if (filter.milestoneIds.length > 0) issues = issues.where('milestone_id', 'in', [...filter.milestoneIds])
  if (filter.assigneeId !== null)
    issues = issues.where(sql<boolean>`exists (select 1 from issue_assignee
      where issue_assignee.issue_id = issue.id and issue_assignee.user_id = ${filter.assigneeId})`)
  for (const ids of filter.labelIds)
    issues = issues.where(sql<boolean>`exists (select 1 from issue_label
      where issue_label.issue_id = issue.id and issue_label.label_id = any(${[...ids]}::bigint[]))`)
  if (filter.words !== '') issues = issues.where(says(including(filter.words), filter.words))
  if (filter.mentioned !== '') issues = issues.where(says(mentioning(filter.mentioned)))
  return issues
}

/** The latest first. */
export function listIssues(
  db: Db,
  repositoryId: number,
  filter: IssueFilter,
  page: Page,
): Promise<Paged<IssueRow>> {
  const issues = selectIssues(db, repositoryId, filter)
  return takePage(issues.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
}

type Test = (text: ReturnType<typeof sql.ref>) => ReturnType<typeof sql<boolean>>

function including(words: string): Test {
  return (text) => sql<boolean>`strpos(lower(${text}), ${words.toLowerCase()}) > 0`
}

/** A name after a sign, not in the middle of a word. */
function mentioning(login: string): Test {
  const name = login.replaceAll('.', '\\.')
  return (text) => sql<boolean>`${text} ~* ${`(^|[[:space:]([])@${name}($|[^[:alnum:]_.-])`}`
}

/** Title, body or a comment. A text that is a number may be that of the issue. */
function says(test: Test, words = '') {
  const number = /^\d{1,9}$/.test(words) ? Number(words) : 0
  return sql<boolean>`(number = ${number} or ${test(sql.ref('issue.title'))} or ${test(sql.ref('issue.body'))}
    or exists (select 1 from issue_comment where issue_comment.issue_id = issue.id
      and issue_comment.kind = 'comment' and ${test(sql.ref('issue_comment.body'))}))`
}
