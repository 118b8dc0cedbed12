/** Request and response schemas of the merge queue. */
import { type Static, Type } from 'typebox'
import { type Account, presentUser, User } from '#domains/people/users'
import { invalid } from '#platform/problem'
import { PageQuery, Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import { type MergeOptions, MergePull, mergeOptionsOf } from '../schemas.ts'
import type { OwnStyle } from '../tables.ts'
import { queueRef } from './refs.ts'
import type { ShownEntry } from './store.ts'

export const QueuePull = Type.Pick(
  MergePull,
  [
    'do',
    'Do',
    'merge_title_field',
    'MergeTitleField',
    'merge_message_field',
    'MergeMessageField',
    'head_commit_id',
    'delete_branch_after_merge',
  ],
  { title: 'QueuePullRequestOption' },
)

export interface QueueOptions
  extends Pick<MergeOptions, 'title' | 'message' | 'headCommit' | 'deletesBranch'> {
  readonly style: OwnStyle
}

export function queueOptionsOf(body: Static<typeof QueuePull>): QueueOptions {
  const { style, ...options } = mergeOptionsOf(body)
  if (style === 'manually-merged') throw invalid('merge style cannot be queued', { style })
  return { ...options, style }
}

export const QueueQuery = Type.Object({
  branch: Type.Optional(
    Type.String({ maxLength: 255, description: 'the base branch; all of them when absent' }),
  ),
  ...PageQuery.properties,
})

const Sha = Type.Union([Type.String(), Type.Null()])

export type MergeQueueEntry = Static<typeof MergeQueueEntry>
export const MergeQueueEntry = Type.Object(
  {
    number: Type.Integer({ description: 'of the pull request' }),
    title: Type.String(),
    base_branch: Type.String(),
    position: Type.Integer({ description: 'in the queue of the base branch, from 1' }),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('testing')]),
    style: Type.String(),
    head_sha: Type.String({ description: 'what was queued' }),
    sha: Type.Union([Type.String(), Type.Null()], { description: 'the commit that it would land with' }),
    parent_sha: Sha,
    ref: Type.Union([Type.String(), Type.Null()], { description: 'where that commit can be fetched' }),
    queued_by: Type.Union([User, Type.Null()]),
    created_at: Time,
  },
  { title: 'MergeQueueEntry' },
)

export function presentEntry(
  row: ShownEntry,
  { accounts, site }: { readonly accounts: ReadonlyMap<number, Account>; readonly site: Site },
): MergeQueueEntry {
  const account = accounts.get(row.actor_id)
  const isTested = row.tested_oid !== null
  return {
    number: row.number,
    title: row.issue_title,
    base_branch: row.base_branch,
    position: row.position,
    state: isTested ? 'testing' : 'waiting',
    style: row.style,
    head_sha: row.head_oid,
    sha: row.tested_oid,
    parent_sha: isTested ? row.parent_oid : null,
    ref: isTested ? queueRef(row.number) : null,
    queued_by: account === undefined ? null : presentUser(account, null, site),
    created_at: time(row.created_at),
  }
}
