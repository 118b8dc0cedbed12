/** Runners in REST answers. */
import { type Static, Type } from 'typebox'
import type { RunnerRow } from './tables.ts'

/** Compat: after this time without contact a runner is offline; after this time without a report it is idle. */
export const OFFLINE_AFTER_MS = 60_000
export const IDLE_AFTER_MS = 10_000

const Label = Type.Object(
  { id: Type.Integer(), name: Type.String(), type: Type.String() },
  { title: 'ActionRunnerLabel' },
)

export type Runner = Static<typeof Runner>
export const Runner = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    status: Type.String({ description: 'online or offline' }),
    busy: Type.Boolean(),
    disabled: Type.Boolean(),
    ephemeral: Type.Boolean(),
    labels: Type.Array(Label),
  },
  { title: 'ActionRunner' },
)

export const Runners = Type.Object(
  { runners: Type.Array(Runner), total_count: Type.Integer() },
  { title: 'ActionRunnersResponse' },
)

export const RegistrationToken = Type.Object({ token: Type.String() }, { title: 'RegistrationToken' })

export const EditRunner = Type.Object({ disabled: Type.Boolean() }, { title: 'EditActionRunnerOption' })

export function presentRunner(row: RunnerRow, now: Date): Runner {
  const isOnline = isSince(row.online_at, now, OFFLINE_AFTER_MS)
  return {
    id: row.id,
    name: row.name,
    status: isOnline ? 'online' : 'offline',
    busy: isOnline && isSince(row.active_at, now, IDLE_AFTER_MS),
    disabled: row.is_disabled,
    ephemeral: row.is_ephemeral,
    labels: row.labels.map((name, id) => ({ id, name, type: 'custom' })),
  }
}

function isSince(at: Date | null, now: Date, ms: number): boolean {
  return at !== null && now.getTime() - at.getTime() < ms
}
