/** One request and what became of it. Whatever the other side does is an outcome, never a failure of ours. */
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
      // A payload that is sent on as a question without a body has not arrived: a redirect is no delivery.
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
  // What answered too much has answered.
  return kind === 'too_large' ? 'refused' : 'unreachable'
}

/** A request that we cannot even make must not keep others from being sent. */
function explain(ctx: Context, error: unknown): string {
  if (error instanceof Problem) return error.message
  ctx.log.error({ err: error }, 'webhook request could not be created')
  return 'request could not be created'
}

/** Texts from afar may hold what no column can. */
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
