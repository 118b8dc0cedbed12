/** A signal that aborts when the client disconnects, so that its work can stop. */
import type { FastifyReply } from 'fastify'

export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
