/** The log: JSON lines on standard error, values in dotted fields, messages that never change. */
import { hostname } from 'node:os'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { isOutage, Repeated } from './repeated.ts'

export type { Logger } from 'pino'

const REDACTED = ['authorization', 'headers.authorization', 'req.headers.authorization', 'password', 'token']
/** Pino's number of the level `warn`. */
const WARN = 40

export function openLog(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      base: { 'node.host': hostname(), 'node.pid': process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[hidden]' },
      hooks: { logMethod: countingOutages() },
    },
    destination,
  )
}

/** Child loggers share the counts of their parent. */
function countingOutages(): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  const repeated = new Repeated()
  return function (args, method, level) {
    const [fields, message] = args as unknown as [unknown, unknown]
    const isLimited = level >= WARN && typeof message === 'string' && isOutage(errorIn(fields))
    if (isLimited) repeated.note(message, fields as object, (told) => method.apply(this, [told, message]))
    else method.apply(this, args)
  }
}

function errorIn(fields: unknown): unknown {
  return typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : undefined
}

/** For background work without a caller: its failure is logged. An unhandled rejection would end the process. */
export function aside(log: Logger, work: Promise<unknown>): void {
  work.catch((error: unknown) => log.error({ err: error }, 'background task failed'))
}

/** For work that is repeated: a line when it begins to fail, and one when it works again, not one for each failure. */
export class RepeatedWork {
  private readonly log: Logger | undefined
  private readonly messages: { readonly failed: string; readonly works: string }
  private isFailing = false

  constructor(log: Logger | undefined, messages: { readonly failed: string; readonly works: string }) {
    this.log = log
    this.messages = messages
  }

  failed(fields: object): void {
    if (!this.isFailing) this.log?.warn(fields, this.messages.failed)
    this.isFailing = true
  }

  worked(fields: object = {}): void {
    if (this.isFailing) this.log?.info(fields, this.messages.works)
    this.isFailing = false
  }
}

/**
 * One line for each failed sign-in, for programs such as fail2ban that block addresses. Invariant: message and field
 * names never change; docs/logging.md has a filter for them.
 */
export function logFailedSignIn(
  log: Pick<Logger, 'warn'>,
  {
    address,
    by,
    login,
  }: { readonly address: string; readonly by: SignInBy; readonly login?: string | undefined },
): void {
  // Only the name of an account is logged: into the field for the name people also type their password.
  const named = login === undefined ? {} : { 'user.login': login }
  log.warn({ 'client.address': address, 'sign_in.by': by, ...named }, 'sign-in failed')
}

type SignInBy = 'password' | 'code' | 'token' | 'ssh key' | 'oauth2 client'
