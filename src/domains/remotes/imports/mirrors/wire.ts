/** The wire format of push mirrors. */
import { type Static, Type } from 'typebox'
import { formatDuration, Time, time } from '#platform/rest'
import type { PushMirrorRow } from '../tables.ts'

export type PushMirror = Static<typeof PushMirror>
export const PushMirror = Type.Object(
  {
    repo_name: Type.String(),
    remote_name: Type.String(),
    remote_address: Type.String(),
    created: Time,
    last_update: Type.Union([Time, Type.Null()]),
    last_error: Type.String(),
    interval: Type.String(),
    sync_on_commit: Type.Boolean(),
  },
  { title: 'PushMirror' },
)

export function presentPushMirror(row: PushMirrorRow, repo: { readonly name: string }): PushMirror {
  return {
    repo_name: repo.name,
    remote_name: row.name,
    remote_address: row.url,
    created: time(row.created_at),
    last_update: time(row.updated_at),
    last_error: row.last_error,
    interval: formatDuration(row.interval_s),
    sync_on_commit: row.syncs_on_push,
  }
}
