/** Tracked time on issues. */

import { findAccessOf, findPerson } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { instantOf } from '#platform/rest'
import { type Caller, mayRead } from '../records/open-issue.ts'
import { updateIssue } from '../records/store.ts'
import type { IssueRow, TrackedTimeRow } from '../tables.ts'
import { insertEntries, type NewEntry } from '../timeline/entries.ts'
import { openToTrack, type TrackableIssue } from './open-to-track.ts'
import type { AddTime } from './schemas.ts'
import { findTime, insertTime, markDeleted } from './store.ts'

export function addTime(
  ctx: Context,
  caller: Caller,
  number: number,
  { time, created, user_name }: AddTime,
): Promise<TrackedTimeRow> {
  return transact(ctx, async (ctx) => {
    const held = await openToTrack(ctx, caller.tracker, number)
    const { issue } = held
    const person = await whose(ctx, caller, held, user_name ?? '')
    const row = await insertTime(ctx.db, {
      issue_id: issue.id,
      repository_id: issue.repository_id,
      user_id: person.id,
      seconds: time,
      created_at: instantOf('created', created) ?? ctx.now(),
    })
    await tell(ctx, issue, person, { kind: 'add_time_manual', payload: { time_id: row.id, seconds: time } })
    return row
  })
}

/** Deletes all times of the caller. */
export function resetTimes(ctx: Context, { tracker, actor }: Caller, number: number): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { issue } = await openToTrack(ctx, tracker, number)
    const gone = await markDeleted(ctx.db, { issue_id: issue.id, user_id: actor.id }, ctx.now())
    if (gone.length === 0) throw notFound('tracked time', number)
    const seconds = gone.reduce((sum, it) => sum + it.seconds, 0)
    await tell(ctx, issue, actor, { kind: 'delete_time_manual', payload: { seconds } })
  })
}

/** The caller's own; site administrators may delete those of others. */
export function deleteTime(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  id: number,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { issue } = await openToTrack(ctx, tracker, number)
    const time = await findTime(ctx.db, issue.id, id)
    if (time === undefined || time.deleted_at !== null) throw notFound('tracked time', id)
    if (time.user_id !== actor.id && !actor.isAdmin) throw forbidden('tracked time belongs to another user')
    await markDeleted(ctx.db, { issue_id: issue.id, user_id: time.user_id, id }, ctx.now())
    await tell(ctx, issue, actor, { kind: 'delete_time_manual', payload: { seconds: time.seconds } })
  })
}

/** Also sets the issue's `updated_at`. Compat: the entry's author is the user whose time it is. */
export async function tell(
  ctx: TxContext,
  issue: IssueRow,
  author: { readonly id: number },
  entry: NewEntry,
): Promise<void> {
  await updateIssue(ctx.db, issue.id, { updated_at: ctx.now() })
  await insertEntries(ctx, issue, author, [entry])
}

/** Compat: without the right to name another user, the time is the caller's, without an error. */
async function whose(
  ctx: TxContext,
  { tracker, actor }: Caller,
  { repo, issue }: TrackableIssue,
  login: string,
): Promise<{ readonly id: number }> {
  if (login === '' || !(may(repo.access, 'admin') || actor.isAdmin)) return actor
  const person = await findPerson(ctx, tracker, login)
  const access = person === undefined ? undefined : await findAccessOf(ctx, repo.id, person)
  // A user who may not read the issue cannot have time on it.
  if (person === undefined || access === undefined || !mayRead({ ...repo, access }, issue.is_pull))
    throw notFound('user', login)
  return person
}
