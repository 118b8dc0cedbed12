/** Statuses in REST answers, and the words of the `status` filter. */
import { Problem } from '#platform/problem'
import { isDone, type Result, type Status } from '../record/status.ts'

export type ShownStatus = 'queued' | 'waiting' | 'in_progress' | 'completed'

const SHOWN: Readonly<Record<Exclude<Status, Result>, ShownStatus>> = {
  waiting: 'queued',
  blocked: 'waiting',
  running: 'in_progress',
  cancelling: 'in_progress',
}

/** `conclusion` is set only for finished ones. */
export function presentStatus(status: Status): { status: ShownStatus; conclusion?: Result } {
  return isDone(status) ? { status: 'completed', conclusion: status } : { status: SHOWN[status] }
}

/** Compat: `cancelling` is shown as in progress, but the filter `in_progress` does not find it. */
const ASKED: Readonly<Record<string, readonly Status[]>> = {
  pending: ['blocked'],
  waiting: ['blocked'],
  requested: ['blocked'],
  action_required: ['blocked'],
  queued: ['waiting'],
  in_progress: ['running'],
  completed: ['success', 'failure', 'skipped', 'cancelled'],
  failure: ['failure'],
  success: ['success'],
  skipped: ['skipped'],
  neutral: ['skipped'],
  cancelled: ['cancelled'],
  timed_out: ['cancelled'],
}

/** The union of the given words; null if there is no filter. */
export function readStatuses(words: readonly string[] | undefined): readonly Status[] | null {
  if (words === undefined) return null
  const statuses = words.flatMap((word) => {
    const meant = Object.hasOwn(ASKED, word) ? ASKED[word] : undefined
    if (meant === undefined) throw new Problem('malformed', 'invalid status', { status: word })
    return meant
  })
  return [...new Set(statuses)]
}
