/** Sends one request. Every behaviour of the receiver is an outcome, never an error of this process. */
import type { Context } from '#platform/context'
import type { OutboundAnswer, OutboundRequest } from '#platform/outbound'
import { Problem } from '#platform/problem'
import {
  ANSWER_BYTES_MAX,
  ANSWER_HEADER_CHARS_MAX,
  ANSWER_HEADERS_MAX,
  ANSWER_KEPT_CHARS_MAX,
  SEND_TIMEOUT_MS,
} from '../limits.ts'
import type { ReceivedAnswer } from '../tables.ts'
import type { Outcome } from './circuit-breaker.ts'

export interface Posted {
  readonly outcome: Outcome
  readonly answer: ReceivedAnswer | null
  readonly durationMs: number
  readonly error: string
}

export async function post(ctx: Context, request: OutboundRequest): Promise<Posted> {
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  try {
    const answer = await ctx.outbound.request({
      ...request,
      timeoutMs: SEND_TIMEOUT_MS,
      answerBytesMax: ANSWER_BYTES_MAX,
      // A redirect can turn the POST into a GET without the payload, so it is no delivery.
      redirectsMax: 0,
      signal: ctx.signal,
    })
    const isWell = answer.status >= 200 && answer.status < 300
    return {
      outcome: isWell ? 'delivered' : 'refused',
      answer: keptOf(answer),
      durationMs: took(),
      error: isWell ? '' : `unexpected response status: ${answer.status}`,
    }
  } catch (error) {
    ctx.signal.throwIfAborted()
    return { outcome: outcomeOf(error), answer: null, durationMs: took(), error: explain(ctx, error) }
  }
}

function outcomeOf(error: unknown): Outcome {
  const kind = error instanceof Problem ? error.kind : 'invalid'
  if (kind === 'invalid') return 'forbidden'
  // The target responded, with too large a body.
  return kind === 'too_large' ? 'refused' : 'unreachable'
}

/** A request that cannot be created fails its delivery and does not block the others. */
function explain(ctx: Context, error: unknown): string {
  if (error instanceof Problem) return error.message
  ctx.log.error({ err: error }, 'webhook request could not be created')
  return 'request could not be created'
}

/** Responses may contain text that PostgreSQL cannot store, such as NUL and lone surrogates. */
function keptOf({ status, headers, body }: OutboundAnswer): ReceivedAnswer {
  const entries = Object.entries(headers).slice(0, ANSWER_HEADERS_MAX)
  const texts = entries.map(([name, value]) => [
    clean(name),
    clean(String(value ?? '').slice(0, ANSWER_HEADER_CHARS_MAX)),
  ])
  return {
    status,
    headers: Object.fromEntries(texts),
    body: clean(body.toString('utf8').slice(0, ANSWER_KEPT_CHARS_MAX)),
  }
}

function clean(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
