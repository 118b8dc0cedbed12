/** Pictures by their addresses, which stand in the records of people, organizations and repositories. */
import type { FastifyInstance } from 'fastify'
import { findPicture } from '#domains/users'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { goneSignal } from './gone.ts'
import type { Parts } from './parts.ts'

/** A picture never changes under its address, but whoever has another one should be seen with it soon. */
const CACHE = 'public, max-age=21600'
/** Whatever somebody gave us as a picture, it may load and run nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export function servePictures(app: FastifyInstance, { world }: Parts): void {
  for (const path of ['/avatars/:name', '/repo-avatars/:name'])
    app.get<{ Params: { name: string } }>(path, async (request, reply) => {
      const { name } = request.params
      const per = { log: request.log as Context['log'], signal: goneSignal(reply), actor: null }
      const picture = await findPicture({ ...world, ...per }, name)
      if (picture === undefined) throw notFound('avatar', name)
      return reply
        .headers({ 'content-type': picture.type, 'cache-control': CACHE, 'content-security-policy': POLICY })
        .send(picture.bytes)
    })
}
