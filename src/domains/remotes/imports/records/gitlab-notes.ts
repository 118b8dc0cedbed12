/**
 * Notes, discussions and approvals of GitLab, which it lists for each issue and merge request. Notes become comments;
 * discussions with a position and approvals become reviews. System notes are left out.
 */
import { type Static, Type } from 'typebox'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { flag, text } from '../sources/fields.ts'
import { askRecord, type Listed, listPages } from '../sources/list-pages.ts'
import type { SourceApi } from '../sources/source-api.ts'
import type { ImportRow } from '../tables.ts'
import type { EachOf, Reviews } from './gather-each.ts'
import { authored, authorOf, Person } from './gitlab-records.ts'
import type { SourceRecord } from './source-records.ts'
import { REVIEWS_MAX, type SourceLine, type ToldReviews } from './source-reviews.ts'

/** Per issue or merge request. */
const NOTES_MAX = 10_000
const IN_DISCUSSION_MAX = 1_000
const Line = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }), Type.Null()]))
const Start = Type.Object({ old_line: Line, new_line: Line })
const Position = Type.Object({
  base_sha: text,
  head_sha: text,
  old_path: text,
  new_path: text,
  old_line: Line,
  new_line: Line,
  line_range: Type.Optional(Type.Union([Type.Object({ start: Type.Optional(Start) }), Type.Null()])),
})
const Note = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  body: text,
  system: flag,
  /** Only members see it. */
  internal: flag,
  confidential: flag,
  position: Type.Optional(Type.Union([Position, Type.Null()])),
  ...authored,
})
const Discussion = Type.Object({ notes: Type.Array(Note, { maxItems: IN_DISCUSSION_MAX }) })
const Approvals = Type.Object({
  approved_by: Type.Array(Type.Object({ user: Person, approved_at: text }), { maxItems: REVIEWS_MAX }),
})
type Note = Static<typeof Note>
type Told = ToldReviews['reviews'][number]

export function openNotes(
  ctx: Context,
  order: ImportRow,
  api: SourceApi,
): Pick<EachOf<'issues'>, 'many' | 'tell'> {
  return {
    many: 'comments',
    tell: async ({ number, comments = 0, is_confidential }) => {
      if (comments === 0 || (is_confidential && !order.options.isPrivate)) return undefined
      const path = `/issues/${number}/notes?sort=asc&order_by=created_at&`
      const notes = await listAll(ctx, api, { many: 'notes', one: 'note', path, item: Note })
      return notes.filter((it) => isTold(it, order)).map((it) => commentOf(it, number))
    },
  }
}

export function openGitLabReviews(ctx: Context, order: ImportRow, api: SourceApi): Reviews {
  return {
    many: 'reviews',
    tell: async ({ number, review_comments = 0, updated_at }) => {
      const at = `/merge_requests/${number}`
      const listed = { many: 'discussions', one: 'discussion', path: `${at}/discussions?`, item: Discussion }
      const discussions = review_comments === 0 ? [] : await listAll(ctx, api, listed)
      const told = discussions.map(({ notes }) => notes.filter((it) => isTold(it, order)))
      const approvals = await askRecord(ctx, api, `${at}/approvals`, Approvals)
      const reviews = [
        ...told.flatMap(reviewsOf),
        ...(approvals?.approved_by ?? []).map(({ user, approved_at }) => ({
          id: user.id,
          state: 'APPROVED',
          user: { id: user.id, login: user.username },
          submitted_at: approved_at ?? updated_at,
          lines: [],
        })),
      ]
      const comments = told.flatMap((notes) =>
        notes[0]?.position ? [] : notes.map((it) => commentOf(it, number)),
      )
      return reviews.length + comments.length === 0 ? [] : [{ number, reviews: reviews as Told[], comments }]
    },
  }
}

async function listAll<Item extends ReturnType<typeof Type.Object>>(
  ctx: Context,
  api: SourceApi,
  listed: Listed<Item>,
): Promise<Static<Item>[]> {
  const all: Static<Item>[] = []
  for await (const { items, progress } of listPages(ctx, api, listed)) {
    if (progress.had > NOTES_MAX) throw invalid(`Migration failed: too many ${listed.many}`)
    all.push(...items)
  }
  return all
}

/** What only members may read comes only into a private repository. */
function isTold({ system, internal, confidential }: Note, { options }: ImportRow): boolean {
  return !system && (options.isPrivate || !(internal || confidential))
}

function commentOf(note: Note, number: number): SourceRecord<'comments'> {
  return { id: note.id, body: note.body ?? null, issue_url: `/issues/${number}`, ...authorOf(note) }
}

/** A review for each author of a discussion on lines. Replies stand where its first note does. */
function reviewsOf(notes: readonly Note[]): readonly object[] {
  const position = notes[0]?.position
  if (!position) return []
  const byAuthor = Map.groupBy(notes, ({ author }) => author?.id ?? 0)
  return [...byAuthor.values()].map((mine) => ({
    id: mine[0]?.id,
    state: 'COMMENT',
    user: mine[0] && authorOf(mine[0]).user,
    submitted_at: mine[0]?.created_at,
    commit_id: position.head_sha,
    lines: mine.map((note) => lineOf(note, position)),
  }))
}

function lineOf(note: Note, position: Static<typeof Position>): SourceLine {
  const isOld = !position.new_line
  const start = position.line_range?.start
  return {
    body: note.body,
    path: isOld ? position.old_path : position.new_path,
    original_commit_id: position.head_sha,
    ...(isOld ? { original_position: position.old_line ?? 0 } : { position: position.new_line ?? 0 }),
    start_line: (isOld ? start?.old_line : start?.new_line) ?? 0,
    ...authorOf(note),
  } as SourceLine
}
