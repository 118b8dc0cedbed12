/** The log: JSON lines on standard error, values in dotted fields, messages that never change. */
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

const REDACTED = ['authorization', 'headers.authorization', 'req.headers.authorization', 'password', 'token']

export function openLog(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[hidden]' },
    },
    destination,
  )
}

/** For background work without a caller: its failure is logged. An unhandled rejection would end the process. */
export function aside(log: Logger, work: Promise<unknown>): void {
  work.catch((error: unknown) => log.error({ err: error }, 'background task failed'))
}
