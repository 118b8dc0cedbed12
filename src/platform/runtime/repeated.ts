/**
 * Keeps an outage from filling the log. While the database or the object store is away, every request, job and thread
 * fails with the same message: the first line is written at once, and then one line with a count in each period.
 */
import { databaseAway } from '#platform/db'
import { Problem } from '#platform/problem'

const PERIOD_MS = 10_000

type Write = (fields: object) => void

interface Pending {
  count: number
  latest: object
  readonly write: Write
}

export class Repeated {
  /** By message. Messages are constants, so there are few. */
  private readonly pending = new Map<string, Pending>()

  /** Writes the line now, or later as a part of a count. */
  note(message: string, fields: object, write: Write): void {
    const pending = this.pending.get(message)
    if (pending !== undefined) {
      pending.count += 1
      pending.latest = fields
      return
    }
    write(fields)
    this.pending.set(message, { count: 0, latest: fields, write })
    this.summarizeLater(message)
  }

  private summarizeLater(message: string): void {
    setTimeout(() => {
      const pending = this.pending.get(message)
      if (pending === undefined || pending.count === 0) return void this.pending.delete(message)
      pending.write({ ...pending.latest, repeated: pending.count })
      pending.count = 0
      this.summarizeLater(message)
    }, PERIOD_MS).unref()
  }
}

/** A failure of a shared service, which many callers meet at once. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Problem) return error.kind === 'unavailable'
  return error instanceof Error && databaseAway(error) !== undefined
}
