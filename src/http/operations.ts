/** Endpoints for operators: liveness, readiness, metrics. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { World } from '#platform/context'
import { Problem } from '#platform/problem'

export function operationsOf(
  app: FastifyInstance,
  world: World,
  isReady: () => Promise<string | undefined>,
): void {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async () => {
    const refusal = await isReady()
    if (refusal !== undefined) throw new Problem('unavailable', refusal)
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    const wanted = world.config['telemetry.metrics_token']
    if (wanted !== '' && !same(request.headers.authorization ?? '', `Bearer ${wanted}`))
      throw new Problem('unauthenticated', 'token is required')
    return reply.header('content-type', 'text/plain; version=0.0.4').send(await world.telemetry.scrape())
  })
}

/** Compares digests, so that timing reveals neither content nor length. */
function same(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
