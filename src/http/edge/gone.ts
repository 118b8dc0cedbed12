/** Aborts when the client is gone, so that work nobody waits for can stop. */
import type { FastifyReply } from 'fastify'

export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
