/** Whoever neither takes what is there for them nor sends what is to come does not hold what others wait for. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The server says when nothing has moved on a connection for a while. It is ended, unless the client has done its part
 * and it is us who take long.
 */
export function cutWhenStalled({ raw: request }: FastifyRequest, { raw: response }: FastifyReply): void {
  response.on('timeout', (socket: Socket) => {
    const takesNothing = socket.writableLength > 0
    const sendsNothing = !request.complete && request.readableLength === 0
    if (takesNothing || sendsNothing) socket.destroy()
  })
}
