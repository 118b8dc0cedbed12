/** Runs a job in its own span. It continues the trace of the request or job that added it, and fails if the job does. */
import type { Context } from '#platform/context'
import type { HeldJob } from './add.ts'

export function tracedJob<T>(
  { telemetry }: Pick<Context, 'telemetry'>,
  { id, kind, traceparent }: HeldJob,
  work: () => Promise<T>,
): Promise<T> {
  return telemetry.traced(`job ${kind}`, { 'job.kind': kind, 'job.id': id }, work, traceparent ?? undefined)
}
