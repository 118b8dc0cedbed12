/** Comments and all other entries of the timeline, reactions, former texts. */
import { sql } from 'kysely'
import { carry, Left, type Move } from '../carry/carry.ts'
import type { SourceRow } from '../source/driver.ts'
import { flag, id, idsOf, number, object, text, timeOr, timesOf } from '../source/fields.ts'
import { isOfOthers } from './issues.ts'

/** In the order of Gitea's numbers. */
const KINDS = [
  'comment',
  'reopen',
  'close',
  'issue_ref',
  'commit_ref',
  'comment_ref',
  'pull_ref',
  'label',
  'milestone',
  'assignees',
  'change_title',
  'delete_branch',
  'start_tracking',
  'stop_tracking',
  'add_time_manual',
  'cancel_tracking',
  'added_deadline',
  'modified_deadline',
  'removed_deadline',
  'add_dependency',
  'remove_dependency',
  'code',
  'review',
  'lock',
  'unlock',
  'change_target_branch',
  'delete_time_manual',
  'review_request',
  'merge_pull',
  'pull_push',
  'project',
  'project_board',
  'dismiss_review',
  'change_issue_ref',
  'pull_scheduled_merge',
  'pull_cancel_scheduled_merge',
  'pin',
  'unpin',
] as const
const REFERENCES: ReadonlySet<string> = new Set(['issue_ref', 'commit_ref', 'comment_ref', 'pull_ref'])
const ACTIONS = ['none', 'closes', 'reopens', 'neutered'] as const
const COMMIT_REF = KINDS.indexOf('commit_ref')
const DURATION = /^\|(\d+)$/

/** Of several entries for one commit in an issue, the first. */
type FirstOfCommit = ReadonlySet<number>

const comments = carry<FirstOfCommit>({
  name: 'comment → issue_comment',
  from: 'select c.*, i.repo_id from comment as c join issue as i on i.id = c.issue_id',
  into: 'issue_comment',
  around: (move, _, batch) => findFirsts(move, batch),
  rows: (row, _, firsts) => {
    const kind = KINDS[number(row.type)]
    if (kind === undefined) return new Left(`entries of type ${number(row.type)} are not known here`)
    const ofOthers = isOfOthers(row.original_author_id, row.original_author)
    const duration = DURATION.exec(text(row.content))?.[1]
    return {
      id: number(row.id),
      issue_id: number(row.issue_id),
      repository_id: number(row.repo_id),
      kind,
      author_id: ofOthers ? null : id(row.poster_id),
      original_author: text(row.original_author),
      original_author_id: number(row.original_author_id),
      body: duration === undefined ? text(row.content) : '',
      content_version: number(row.content_version),
      payload: payloadOf(row, kind, duration),
      ref_commit: kind === 'commit_ref' && firsts.has(number(row.id)) ? text(row.commit_sha) : null,
      ...(REFERENCES.has(kind)
        ? { ref_repository_id: id(row.ref_repo_id), ref_issue_id: id(row.ref_issue_id) }
        : {}),
      ref_action: REFERENCES.has(kind) ? (ACTIONS[number(row.ref_action)] ?? 'none') : null,
      ...timesOf(row),
    }
  },
})

/** The comment of a reference may have a greater id than the entry. */
const referringComments = carry({
  name: 'comment.ref_comment_id → issue_comment.ref_comment_id',
  from: 'select id, ref_comment_id, issue_id, type from comment where ref_comment_id > 0',
  into: 'issue_comment',
  rows: () => [],
  after: async (_, ctx, batch) => {
    const given = batch.map((row) => ({ id: number(row.id), ref_comment_id: number(row.ref_comment_id) }))
    await sql`update issue_comment as entry set ref_comment_id = given.ref_comment_id
      from json_to_recordset(${JSON.stringify(given)}) as given (id bigint, ref_comment_id bigint)
      where entry.id = given.id and entry.ref_comment_id is distinct from given.ref_comment_id
        and exists (select from issue_comment as said where said.id = given.ref_comment_id)`.execute(ctx.db)
  },
})

/** Columns of texts and of ids that an entry has under the same name. */
const TEXTS = ['old_title', 'new_title', 'old_ref', 'new_ref'] as const
const IDS = {
  label_id: 'label_id',
  old_milestone_id: 'old_milestone_id',
  milestone_id: 'milestone_id',
  assignee_id: 'assignee_id',
  assignee_team_id: 'assignee_team_id',
  dependent_issue_id: 'dependent_issue_id',
  time_id: 'time_id',
  old_project_id: 'old_project_id',
  project_id: 'project_id',
  review_id: 'review_id',
  resolver_id: 'resolve_doer_id',
} as const

function payloadOf(row: SourceRow, kind: string, duration: string | undefined): object {
  const column = object(row.comment_meta_data).project_column_title
  const texts = TEXTS.map((name) => [name, text(row[name]) || undefined])
  const ids = Object.entries(IDS).map(([name, theirs]) => [name, id(row[theirs]) ?? undefined])
  const others = {
    is_removed: flag(row.removed_assignee) || undefined,
    seconds: duration === undefined ? undefined : Number(duration),
    column_title: typeof column === 'string' ? column : undefined,
    is_obeyed: kind === 'commit_ref' || undefined,
  }
  const all = [...texts, ...ids, ...Object.entries(others)]
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

async function findFirsts({ source }: Move, batch: readonly SourceRow[]): Promise<FirstOfCommit> {
  const issues = idsOf(
    batch.filter((row) => number(row.type) === COMMIT_REF),
    'issue_id',
  )
  if (issues.length === 0) return new Set()
  const rows = await source.rows(
    `select min(id) as id from comment where type = ${COMMIT_REF} and issue_id in (${issues.join(', ')})
     group by issue_id, commit_sha`,
  )
  return new Set(idsOf(rows, 'id'))
}

const reactions = carry({
  from: 'reaction',
  into: 'reaction',
  rows: (row) => {
    if (isOfOthers(row.original_author_id, row.original_author))
      return new Left('its author has no account in the other instance')
    return {
      id: number(row.id),
      issue_id: number(row.issue_id),
      comment_id: id(row.comment_id),
      user_id: number(row.user_id),
      content: text(row.type),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

/** Gitea keeps each text with who wrote it; a former text here has who replaced it, and when. */
const history = carry({
  name: 'issue_content_history → issue_content_history',
  from: `select h.id, h.issue_id, h.comment_id, h.content_text, h.is_deleted, n.poster_id, n.edited_unix
    from issue_content_history as h join issue_content_history as n on n.id = (
      select min(later.id) from issue_content_history as later
      where later.issue_id = h.issue_id and later.comment_id = h.comment_id and later.id > h.id)`,
  needs: ['issue_content_history'],
  into: 'issue_content_history',
  rows: (row) => ({
    id: number(row.id),
    issue_id: number(row.issue_id),
    comment_id: id(row.comment_id),
    text: flag(row.is_deleted) ? null : text(row.content_text),
    editor_id: id(row.poster_id),
    replaced_at: timeOr(row.edited_unix, null),
  }),
})

export const commentSteps = [comments, referringComments, reactions, history]
