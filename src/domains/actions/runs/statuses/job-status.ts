/** The commit status of a job. Pure. */
import type { State } from '#domains/code/statuses'
import type { Result, Status } from '../record/status.ts'
import type { JobRow, RunRow } from '../record/tables.ts'

const STATES: Readonly<Record<Status, State>> = {
  blocked: 'pending',
  waiting: 'pending',
  running: 'pending',
  cancelling: 'pending',
  success: 'success',
  failure: 'failure',
  cancelled: 'failure',
  skipped: 'skipped',
}

/** Compat: Gitea's descriptions, which users and scripts rely on. */
const SAYS: Readonly<Record<Exclude<Status, Result> | 'skipped', string>> = {
  blocked: 'Blocked by required conditions',
  waiting: 'Waiting to run',
  running: 'Has started running',
  cancelling: 'Canceling',
  skipped: 'Skipped',
}
const ENDS = { success: 'Successful in', failure: 'Failing after', cancelled: 'Canceled after' } as const

export function stateOf(status: Status): State {
  return STATES[status]
}

export function describeJob({ status, started_at, stopped_at }: JobTimes): string {
  if (status !== 'success' && status !== 'failure' && status !== 'cancelled') return SAYS[status]
  const ms = started_at === null || stopped_at === null ? 0 : stopped_at.getTime() - started_at.getTime()
  return `${ENDS[status]} ${spell(ms)}`
}

type JobTimes = Pick<JobRow, 'status' | 'started_at' | 'stopped_at'>

function spell(ms: number): string {
  const seconds = Math.max(Math.floor(ms / 1_000), 0)
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const parts = [hours > 0 && `${hours}h`, (hours > 0 || minutes > 0) && `${minutes}m`, `${rest}s`]
  return parts.filter((part) => part !== false).join('')
}

/** Compat: only runs of these events set a commit status; Gitea has no `merge_group`, whose status the merge queue reads. */
const SAID_FOR =
  /^(push|pull_request|pull_request_target|pull_request_review|pull_request_review_comment|release|merge_group)$/

/** Undefined if the event sets no commit status. */
export function contextOf(
  run: Pick<RunRow, 'workflow' | 'workflow_file' | 'event'>,
  job: Pick<JobRow, 'name'>,
): string | undefined {
  if (!SAID_FOR.test(run.event)) return undefined
  return `${nameOf(run)} / ${job.name} (${run.event})`.slice(0, CONTEXT_MAX)
}

const CONTEXT_MAX = 255
/** The `name:` line of the workflow, or else the name of its file. */
export function nameOf({ workflow, workflow_file }: Pick<RunRow, 'workflow' | 'workflow_file'>): string {
  const line = workflow.split('\n').find((it) => it.startsWith('name:')) ?? ''
  const text = line.slice('name:'.length).trim()
  const [quote] = text
  if (quote === '"' || quote === "'") return text.slice(1).split(quote, 1)[0] || workflow_file
  return text.split(' #', 1)[0]?.trim() || workflow_file
}
