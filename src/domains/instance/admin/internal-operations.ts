/** Operations of the admin pages; `bloomery doctor` and `bloomery jobs` do the same on the command line. */
import { Type } from 'typebox'
import { listClients } from '#platform/client-use'
import { listDead, readQueue, requeue } from '#platform/queue'
import { asSiteAdmin, type InternalOperations, internalOperation } from '#platform/rest'
import { lookAtHealth } from './health.ts'

const checkHealth = internalOperation({
  operationId: 'adminCheckHealth',
  method: 'POST',
  open: asSiteAdmin,
  handle: ({ ctx, opened }) => lookAtHealth(ctx, opened),
})

const getQueue = internalOperation({
  operationId: 'adminGetQueue',
  method: 'GET',
  open: asSiteAdmin,
  handle: ({ ctx }) => readQueue(ctx.db),
})

const listDeadJobs = internalOperation({
  operationId: 'adminListDeadJobs',
  method: 'GET',
  open: asSiteAdmin,
  handle: ({ ctx }) => listDead(ctx.db),
})

const requeueJobs = internalOperation({
  operationId: 'adminRequeueJobs',
  method: 'POST',
  body: Type.Object({ ids: Type.Array(Type.Integer(), { maxItems: 1_000 }) }),
  open: asSiteAdmin,
  handle: ({ ctx, body: { ids } }) => requeue(ctx, ids),
})

const listBusyClients = internalOperation({
  operationId: 'adminListClients',
  method: 'GET',
  open: asSiteAdmin,
  handle: ({ ctx }) => listClients(ctx.db),
})

export const adminOperations = [checkHealth, listBusyClients, getQueue, listDeadJobs, requeueJobs] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof adminOperations> {}
}
