/**
 * An issue's conversation with reactions and attachments, for pages: a fixed number of queries, where REST clients need
 * one per comment.
 */

import type { Static } from 'typebox'
import { type Attachment, presentAttachment } from '#domains/code/attachments'
import type { Tracker } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import type { Db, Paged } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { Page } from '#platform/rest'
import { openIssue } from '../records/open-issue.ts'
import { presentOriginal } from '../records/people.ts'
import { isShown } from '../references/sources.ts'
import type { EntryRow } from '../tables.ts'
import { lookAround } from './show-entries.ts'
import { takeEntries } from './store.ts'
import { presentEntry, type TimelineComment } from './wire.ts'

/** Count of one reaction, and whether the caller gave it. */
export interface Tally {
  readonly content: string
  readonly count: number
  readonly isMine: boolean
}

export interface Talk {
  readonly entries: readonly TimelineComment[]
  /** Of all pages, including entries that the caller may not see. */
  readonly total: number
  /** By comment id; 0 is the issue itself. */
  readonly reactions: ReadonlyMap<number, readonly Tally[]>
  readonly files: ReadonlyMap<number, readonly Static<typeof Attachment>[]>
  /** Names of authors without an account here, of what was imported. */
  readonly originals: ReadonlyMap<number, string>
}

const WHENEVER = { since: null, before: null }

/** `number`: the issue; a page past the end is the last one. */
export async function showTalk(ctx: Context, tracker: Tracker, number: number, page: Page): Promise<Talk> {
  const issue = await openIssue(ctx, tracker, number)
  const { items: entries, total } = await takeLast(ctx, issue.id, page)
  const around = await lookAround(ctx, tracker, entries)
  const comments = entries.filter(({ kind }) => kind === 'comment').map(({ id }) => id)
  return {
    entries: entries
      .filter((entry) => isShown(entry, around.sources))
      .map((entry) => presentEntry(entry, issue, around)),
    total,
    reactions: await tally(ctx, issue.id, comments),
    originals: new Map(
      entries.flatMap((entry) => {
        const { original_author } = presentOriginal(entry)
        return original_author === '' ? [] : [[entry.id, original_author] as const]
      }),
    ),
    files: new Map(
      [...around.attachments].map(([id, files]) => [
        id,
        files.map((file) => presentAttachment(file, ctx.site)),
      ]),
    ),
  }
}

async function takeLast(ctx: Context, issueId: number, page: Page): Promise<Paged<EntryRow>> {
  const asked = await takeEntries(ctx, issueId, WHENEVER, page)
  const offset = (Math.ceil(asked.total / page.limit) - 1) * page.limit
  return page.offset <= offset || asked.total === 0
    ? asked
    : takeEntries(ctx, issueId, WHENEVER, { ...page, offset })
}

/** In the order of their first use. */
async function tally(
  { db, actor }: Context,
  issueId: number,
  commentIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Tally[]>> {
  const rows = await TALLIED.rows(db, { issueId, commentIds, viewerId: actor?.id ?? 0 })
  return Map.groupBy(
    rows.map(({ comment_id, content, count, is_mine }) => ({
      id: comment_id ?? 0,
      content,
      count,
      isMine: is_mine,
    })),
    ({ id }) => id,
  )
}

const TALLIED = new Statement(
  (
    db: Db,
    { issueId, commentIds, viewerId }: { issueId: number; commentIds: readonly number[]; viewerId: number },
  ) =>
    db
      .selectFrom('reaction')
      .select((eb) => [
        'comment_id',
        'content',
        eb.fn.countAll<number>().as('count'),
        eb.fn<boolean>('bool_or', [eb('user_id', '=', viewerId)]).as('is_mine'),
      ])
      .where('issue_id', '=', issueId)
      .where((eb) => eb.or([eb('comment_id', 'is', null), eb('comment_id', 'in', commentIds)]))
      .groupBy(['comment_id', 'content'])
      .orderBy((eb) => eb.fn.min('id')),
)
