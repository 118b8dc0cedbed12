/** Disconnects clients that neither read their answer nor send their request, so that they do not hold resources. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The server emits a timeout when nothing has moved on a connection for a while. The connection is closed, unless the
 * client has done its part and the delay is ours.
 */
export function cutWhenStalled({ raw: request }: FastifyRequest, { raw: response }: FastifyReply): void {
  response.on('timeout', (socket: Socket) => {
    const takesNothing = socket.writableLength > 0
    const sendsNothing = !request.complete && request.readableLength === 0
    if (takesNothing || sendsNothing) socket.destroy()
  })
}
