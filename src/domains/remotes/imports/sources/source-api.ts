/** Asks the API of a source: with its tokens by turns, within its limits, and never another host with them. */
import type { Writable } from 'node:stream'
import type { Remote } from '#git'
import type { Context } from '#platform/context'
import { JSON_BYTES_MAX, type OutboundAnswer } from '#platform/outbound'
import { Problem } from '#platform/problem'
import { VERSION } from '#platform/version'
import type { ImportOptions, ImportRow } from '../tables.ts'
import { limitOf, PutOff, usedUpOf } from './put-off.ts'
import { type ApiAddress, addressOf, getService, type Service } from './services.ts'
import { openCredentials } from './source.ts'
import { TokenTurns } from './token-turns.ts'

const ERROR_MIN = 500
/** Of the first failure; it doubles with each one until a page is stored. */
const FAULT_PAUSE_MS = 10_000
const FAULT_PAUSE_MAX_MS = 3_600_000

export interface SourceApi extends ApiAddress {
  readonly name: string
  readonly service: Service
  ask(ctx: Context, question: Question): Promise<OutboundAnswer>
}

export interface Question {
  readonly url: string
  readonly accept?: string
  readonly answerBytesMax?: number
  readonly timeoutMs?: number
  readonly into?: Writable
}

interface Order extends Pick<ImportRow, 'credentials' | 'faults'> {
  readonly options: Pick<ImportOptions, 'url' | 'service' | 'apiUrl'>
}

export function openApi(ctx: Context, order: Order): SourceApi {
  const { url, service: name, apiUrl = null } = order.options
  const service = getService(name)
  const { tokens = [], ...credentials } = openCredentials(ctx, order.credentials)
  const remote: Remote = { url, ...credentials }
  const words = tokens.length > 0 ? tokens : [credentials.password]
  const turns = new TokenTurns(words.map((token) => service.authorization(remote, token)))
  const pauseMs = Math.min(FAULT_PAUSE_MS * 2 ** order.faults, FAULT_PAUSE_MAX_MS)
  const address = addressOf(name, url, apiUrl)
  // Files of releases lie beside the repository.
  const isTheirs = (asked: string) =>
    isBelow(asked, address.root) || URL.parse(asked)?.origin === new URL(url).origin
  return {
    ...address,
    name,
    service,
    ask: (ctx, question) => ask(ctx, turns, pauseMs, question, isTheirs(question.url)),
  }
}

/** A token that has reached the limit makes room for the next one; without any left, the import is put off. */
async function ask(
  ctx: Context,
  turns: TokenTurns,
  pauseMs: number,
  question: Question,
  isTheirs: boolean,
): Promise<OutboundAnswer> {
  for (;;) {
    const turn = turns.take(ctx.now())
    const answer = await send(ctx, question, isTheirs ? turn.authorization : undefined, pauseMs)
    if (!isTheirs) return answer
    const now = ctx.now()
    const waitMs = limitOf(answer, now)
    const restMs = waitMs ?? usedUpOf(answer, now)
    if (restMs !== undefined) turns.rest(turn, now, restMs)
    if (waitMs === undefined) return answer
  }
}

async function send(
  ctx: Context,
  { url, accept = 'application/json', ...more }: Question,
  authorization: string | undefined,
  pauseMs: number,
): Promise<OutboundAnswer> {
  const asking = ctx.outbound.request({
    method: 'GET',
    url,
    headers: {
      accept,
      'user-agent': `Bloomery/${VERSION}`,
      ...(authorization !== undefined && { authorization }),
    },
    answerBytesMax: JSON_BYTES_MAX,
    ...more,
    signal: ctx.signal,
  })
  const answer = await asking.catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'unavailable' && !ctx.signal.aborted)
      throw new PutOff(
        pauseMs,
        new Problem('invalid', 'Migration failed: could not reach the source', error.details),
      )
    throw error
  })
  if (answer.status >= ERROR_MIN)
    throw new PutOff(
      pauseMs,
      new Problem('invalid', 'Migration failed: the source has an error', { status: answer.status }),
    )
  return answer
}

/** The same origin, and a path below that of the API. */
export function isBelow(url: string, root: string): boolean {
  const [asked, api] = [URL.parse(url), URL.parse(root)]
  if (asked === null || api === null) return false
  return asked.origin === api.origin && asked.pathname.startsWith(`${api.pathname.replace(/\/+$/, '')}/`)
}
