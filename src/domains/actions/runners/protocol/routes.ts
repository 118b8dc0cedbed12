/**
 * The procedures of runners as raw routes; callers are authenticated at the edge like those of all raw routes. The
 * Connect library is loaded with the first call, so that nodes without runners do not pay for it.
 */
import { asAnybody, type RawRoute, rawRoute } from '#platform/rest'
import type { CallingRunner } from '../dispatch/callers.ts'

const PROCEDURES = [
  ['ping.v1.PingService', 'Ping'],
  ['runner.v1.RunnerService', 'Register'],
  ['runner.v1.RunnerService', 'Declare'],
  ['runner.v1.RunnerService', 'FetchTask'],
  ['runner.v1.RunnerService', 'UpdateTask'],
  ['runner.v1.RunnerService', 'UpdateLog'],
] as const

export const connectRoutes: readonly RawRoute[] = PROCEDURES.map(([service, name]) => {
  const requestPath = `/${service}/${name}`
  const waits = name === 'FetchTask'
  return rawRoute<null, CallingRunner>({
    method: 'POST',
    path: `/api/actions${requestPath}`,
    operationId: `runner${name}`,
    scopes: [],
    keepsStream: true,
    // Long polls are ended when the node shuts down.
    staysOpen: waits,
    authenticate: async (ctx, { headers }) => {
      const bearer = await ctx.dispatcher.callers.find(ctx, headers, waits)
      return bearer && { bearer }
    },
    open: asAnybody,
    handle: async (visit) => (await import('./connect.ts')).answerCall(requestPath, visit),
  })
})
