/** Pull requests with their first version, reviews and remarks on lines. Their heads are refs, which come before. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import { carry, Left, type Move } from '../carry/carry.ts'
import type { SourceRow } from '../source/driver.ts'
import { flag, id, number, text, time, timeOr, timesOf } from '../source/fields.ts'
import { isOfOthers } from '../work/issues.ts'

const AGIT = 1
const FROM = `select p.*, i.is_closed, i.created_unix, i.poster_id from pull_request as p join issue as i on i.id = p.issue_id`

/** By issue id: what `refs/pull/{n}/head` points to. */
type Heads = ReadonlyMap<number, string>

async function findHeads(_: Move, ctx: TxContext, batch: readonly SourceRow[]): Promise<Heads> {
  const given = batch.map((row) => ({
    issue_id: number(row.issue_id),
    repository_id: number(row.base_repo_id),
    name: `refs/pull/${number(row.index)}/head`,
  }))
  const { rows } = await sql<{ issue_id: number; oid: string }>`
    select given.issue_id, git_ref.oid
    from json_to_recordset(${JSON.stringify(given)}) as given (issue_id bigint, repository_id bigint, name text)
    join repository on repository.id = given.repository_id
    join git_ref on git_ref.storage_id = repository.storage_id and git_ref.name = given.name`.execute(ctx.db)
  return new Map(rows.map((row) => [Number(row.issue_id), row.oid]))
}

const pulls = carry<Heads>({
  name: 'pull_request → pull_request',
  from: FROM,
  into: 'pull_request',
  key: ['issue_id'],
  around: findHeads,
  rows: (row, _, heads) => {
    const head = heads.get(number(row.issue_id))
    if (head === undefined) return new Left('its head is not in the repository')
    const isMerged = flag(row.has_merged)
    return {
      issue_id: number(row.issue_id),
      id: number(row.id),
      repository_id: number(row.base_repo_id),
      number: number(row.index),
      is_open: !flag(row.is_closed),
      base_branch: text(row.base_branch),
      head_repository_id: id(row.head_repo_id),
      head_branch: text(row.head_branch),
      flow: number(row.flow) === AGIT ? 'agit' : 'branch',
      head_oid: head,
      version: 1,
      // A job finds it, and with it the size of the diff.
      merge_base: '',
      allows_maintainer_edit: flag(row.allow_maintainer_edit),
      mergeability: 'checking',
      merged_at: isMerged ? timeOr(row.merged_unix, null) : null,
      merged_by_id: isMerged ? id(row.merger_id) : null,
      merge_commit: isMerged ? text(row.merged_commit_id) : null,
      created_at: timeOr(row.created_unix, null),
    }
  },
})

const versions = carry<Heads>({
  name: 'pull_request → pull_version',
  from: FROM,
  into: 'pull_version',
  key: ['issue_id', 'version'],
  around: findHeads,
  rows: (row, _, heads) => {
    const head = heads.get(number(row.issue_id))
    if (head === undefined) return []
    return {
      issue_id: number(row.issue_id),
      version: 1,
      head_oid: head,
      base_oid: text(row.merge_base),
      // A job finds it, and with it the size of the diff.
      merge_base: '',
      pusher_id: id(row.poster_id),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

const REVIEW_KINDS = ['pending', 'approve', 'comment', 'reject', 'request'] as const

const reviews = carry({
  from: 'review',
  into: 'review',
  rows: (row) => {
    const kind = REVIEW_KINDS[number(row.type)]
    if (kind === undefined) return new Left('its type is not known')
    const ofOthers = isOfOthers(row.original_author_id, row.original_author)
    const team = id(row.reviewer_team_id)
    return {
      id: number(row.id),
      issue_id: number(row.issue_id),
      reviewer_id: ofOthers || team !== null ? null : id(row.reviewer_id),
      team_id: team,
      kind,
      body: text(row.content),
      head_oid: text(row.commit_id),
      version: 1,
      is_official: flag(row.official),
      is_stale: flag(row.stale),
      is_dismissed: flag(row.dismissed),
      original_author: text(row.original_author),
      original_author_id: number(row.original_author_id),
      ...timesOf(row),
    }
  },
})

/** The text before the lines of a hunk. */
const BEFORE_HUNK = /^[\s\S]*?(?=^@@ )/m

const lines = carry({
  name: 'comment → review_comment',
  from: `select c.*, p.merge_base from comment as c join pull_request as p on p.issue_id = c.issue_id
    where c.type = 21 and c.review_id > 0`,
  into: 'review_comment',
  key: ['comment_id'],
  rows: (row) => {
    const line = number(row.line)
    const head = text(row.commit_sha)
    const place = line < 0 ? text(row.merge_base) : head
    return {
      comment_id: number(row.id),
      review_id: number(row.review_id),
      issue_id: number(row.issue_id),
      head_oid: head,
      version: 1,
      line_oid: place,
      path: text(row.tree_path),
      side: line < 0 ? 'old' : 'new',
      line: Math.abs(line),
      diff_hunk: text(row.patch).replace(BEFORE_HUNK, ''),
      resolver_id: id(row.resolve_doer_id),
      current_head_oid: '',
      current_oid: place,
      current_path: text(row.tree_path),
      current_line: flag(row.invalidated) ? null : Math.abs(line),
    }
  },
})

const autoMerges = carry({
  name: 'pull_auto_merge → pull_auto_merge',
  from: `select a.*, p.issue_id from pull_auto_merge as a join pull_request as p on p.id = a.pull_id`,
  needs: ['pull_auto_merge'],
  into: 'pull_auto_merge',
  key: ['issue_id'],
  isReplaced: true,
  rows: (row) => {
    const [title = '', ...rest] = text(row.message).split('\n')
    return {
      issue_id: number(row.issue_id),
      actor_id: number(row.doer_id),
      style: text(row.merge_style),
      title,
      message: rest.join('\n').trim(),
      deletes_branch:
        row.delete_branch_after_merge === undefined ? null : flag(row.delete_branch_after_merge),
      created_at: time(row.created_unix) ?? new Date(0).toISOString(),
    }
  },
})

export const pullSteps = [pulls, versions, reviews, lines, autoMerges]
