/**
 * Links between pull requests and the issues that they close by a keyword, in their texts or in their commits. Texts
 * leave timeline entries; commits of an open pull request are recorded here, so that both sides are one query.
 */
import { sql } from 'kysely'
import { getRepository } from '#domains/code/repositories'
import { findWords } from '#domains/instance/markup'
import { actAs } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import { showReadable } from '../records/across.ts'
import { mayWrite } from '../records/open-issue.ts'
import type { Issue } from '../records/wire.ts'
import type { IssueRow } from '../tables.ts'
import { findTargets, homeOf } from './find-targets.ts'

/** Per issue or pull request; further ones are not shown. */
const LINKED_MAX = 100
/** Longer messages are read up to here. */
const MESSAGE_LOOKED_AT_MAX = 10_000

/** Of a pull request, the issues that it closes; of an issue, the pull requests. Omits those that the caller may not read. */
export async function listLinked(ctx: Context, issue: IssueRow): Promise<Issue[]> {
  const ids = await findLinked(ctx.db, issue)
  const shown = await showReadable(ctx, ids)
  return ids.flatMap((id) => shown.get(id) ?? [])
}

/** Replaces the issues that the commits of a pull request close, with the permissions of its author. */
export async function recordClosingCommits(
  ctx: Context,
  pull: { readonly issue_id: number; readonly repository_id: number },
  messages: readonly string[],
): Promise<void> {
  const references = messages
    .flatMap((message) => findWords(message.slice(0, MESSAGE_LOOKED_AT_MAX), ctx.site.url).references)
    .filter(({ action }) => action === 'closes')
  const known = await findClosingCommits(ctx.db, pull.issue_id)
  if (references.length === 0 && known.length === 0) return
  const found = references.length === 0 ? [] : await findClosable(ctx, pull, references)
  const ids = [...new Set(found)].slice(0, LINKED_MAX)
  if (ids.length === known.length && ids.every((id) => known.includes(id))) return
  await transact(ctx, ({ db }) => replaceClosingCommits(db, pull.issue_id, ids))
}

/** Compat: as for texts, only issues that the author may close by hand. */
async function findClosable(
  ctx: Context,
  { issue_id, repository_id }: { readonly issue_id: number; readonly repository_id: number },
  references: ReturnType<typeof findWords>['references'],
): Promise<number[]> {
  const { author_id } = await ctx.db
    .selectFrom('issue')
    .select('author_id')
    .where('id', '=', issue_id)
    .executeTakeFirstOrThrow()
  const asAuthor = author_id === null ? undefined : await actAs(ctx, author_id)
  if (asAuthor === undefined) return []
  const home = homeOf(await getRepository(asAuthor, repository_id))
  return (await findTargets(asAuthor, home, references))
    .filter(({ issue, repo }) => !issue.is_pull && (issue.author_id === author_id || mayWrite(repo, false)))
    .map(({ issue }) => issue.id)
}

async function findClosingCommits(db: Db, pullId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('issue_closing_commit')
    .select('issue_id')
    .where('pull_id', '=', pullId)
    .execute()
  return rows.map(({ issue_id }) => issue_id)
}

async function replaceClosingCommits(tx: Tx, pullId: number, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('issue_closing_commit')
    .where('pull_id', '=', pullId)
    .where('issue_id', '<>', sql<number>`all(${[...ids]}::bigint[])`)
    .execute()
  // An issue may have been deleted meanwhile.
  await sql`insert into issue_closing_commit (pull_id, issue_id)
    select ${pullId}, id from issue where id = any(${[...ids]}::bigint[]) for key share
    on conflict do nothing`.execute(tx)
}

async function findLinked(db: Db, { id, is_pull }: IssueRow): Promise<number[]> {
  const rows = await LINKED.rows(db, { id, is_pull })
  return rows.map((it) => it.id)
}

const LINKED = new Statement((_db: Db, { id, is_pull }: { id: number; is_pull: boolean }) => {
  const [own, other] = is_pull
    ? (['ref_issue_id', 'issue_id'] as const)
    : (['issue_id', 'ref_issue_id'] as const)
  const [ownOfCommit, otherOfCommit] = is_pull
    ? (['pull_id', 'issue_id'] as const)
    : (['issue_id', 'pull_id'] as const)
  return sql<{ id: number }>`select ${sql.ref(other)} as id from issue_comment
      where ${sql.ref(own)} = ${id} and ref_action = 'closes' and not is_hidden
    union select ${sql.ref(otherOfCommit)} from issue_closing_commit where ${sql.ref(ownOfCommit)} = ${id}
    order by id limit ${LINKED_MAX}`
})
