/** Operations of the pages that show what an owner stores and set its limits. */
import { Type } from 'typebox'
import { openOwnedOrg } from '#domains/people/orgs'
import { lookUpAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import { asSignedIn, asSiteAdmin, type InternalOperations, internalOperation } from '#platform/rest'
import { readUsage, setLimits } from './usage.ts'

const OwnerPath = Type.Object({ username: Type.String() })
/** Absent for the limit of the settings. */
const Bytes = Type.Optional(Type.Integer({ minimum: -1 }))

export const quotaOperations = [
  internalOperation({
    operationId: 'userGetUsage',
    method: 'GET',
    open: asSignedIn,
    handle: ({ ctx, opened }) => readUsage(ctx, opened.id),
  }),
  internalOperation({
    operationId: 'orgGetUsage',
    method: 'GET',
    params: Type.Object({ org: Type.String() }),
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: ({ ctx, opened }) => readUsage(ctx, opened.id),
  }),
  internalOperation({
    operationId: 'adminGetUsage',
    method: 'GET',
    params: OwnerPath,
    open: openOwner,
    handle: ({ ctx, opened: { owner } }) => readUsage(ctx, owner.id),
  }),
  internalOperation({
    operationId: 'adminSetLimits',
    method: 'POST',
    params: OwnerPath,
    body: Type.Object({
      repositories: Type.Integer({ minimum: -1, maximum: 2_147_483_647 }),
      git: Bytes,
      packages: Bytes,
      artifacts: Bytes,
      logs: Bytes,
      attachments: Bytes,
      lfs: Bytes,
    }),
    open: openOwner,
    handle: ({ ctx, opened: { admin, owner }, body: { repositories, ...limits } }) =>
      setLimits(ctx, admin, owner.id, { repositories, limits }),
  }),
] as const

/** A user or an organization. */
async function openOwner(visit: { readonly ctx: Context; readonly params: { readonly username: string } }) {
  const admin = asSiteAdmin(visit)
  return { admin, owner: await lookUpAccount(visit.ctx, visit.params.username) }
}

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof quotaOperations> {}
}
