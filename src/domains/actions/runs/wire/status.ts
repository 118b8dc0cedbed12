/** Statuses as clients know them, and the words by which they ask for them. */
import { Problem } from '#platform/problem'
import { isDone, type Result, type Status } from '../record/status.ts'

export type ShownStatus = 'queued' | 'waiting' | 'in_progress' | 'completed'

const SHOWN: Readonly<Record<Exclude<Status, Result>, ShownStatus>> = {
  waiting: 'queued',
  blocked: 'waiting',
  running: 'in_progress',
  cancelling: 'in_progress',
}

/** `conclusion` is there when there is one. */
export function presentStatus(status: Status): { status: ShownStatus; conclusion?: Result } {
  return isDone(status) ? { status: 'completed', conclusion: status } : { status: SHOWN[status] }
}

/** Compat: what is being cancelled is shown as in progress, and not found as that. */
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

/** Any of them; null when nothing is asked for. */
export function readStatuses(words: readonly string[] | undefined): readonly Status[] | null {
  if (words === undefined) return null
  const statuses = words.flatMap((word) => {
    const meant = Object.hasOwn(ASKED, word) ? ASKED[word] : undefined
    if (meant === undefined) throw new Problem('malformed', 'invalid status', { status: word })
    return meant
  })
  return [...new Set(statuses)]
}
