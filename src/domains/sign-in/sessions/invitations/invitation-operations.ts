/** Invitations by administrators to the site, and by owners to their teams. */
import { Type } from 'typebox'
import { openOwnedTeam } from '#domains/people/orgs'
import { asSiteAdmin, internalOperation } from '#platform/rest'
import { invite, listInvitations, revokeInvitation } from './invitations.ts'

const Team = Type.Object({ id: Type.Integer() })
const Invited = Type.Object({ email: Type.String() })
const Revoked = Type.Object({ id: Type.Integer() })

export const invitationOperations = [
  internalOperation({
    operationId: 'adminListInvitations',
    method: 'GET',
    open: asSiteAdmin,
    handle: ({ ctx }) => listInvitations(ctx.db, null, ctx.now()),
  }),
  /** Returns the link if the inviter may see it. */
  internalOperation({
    operationId: 'adminInvite',
    method: 'POST',
    body: Invited,
    open: asSiteAdmin,
    handle: ({ ctx, opened: admin, body }) => invite(ctx, { admin }, body.email),
  }),
  internalOperation({
    operationId: 'adminRevokeInvitation',
    method: 'POST',
    body: Revoked,
    open: asSiteAdmin,
    handle: ({ ctx, opened: admin, body }) => revokeInvitation(ctx, { admin }, body.id),
  }),
  internalOperation({
    operationId: 'teamListInvitations',
    method: 'GET',
    params: Team,
    open: ({ ctx, params }) => openOwnedTeam(ctx, params.id),
    handle: ({ ctx, params }) => listInvitations(ctx.db, params.id, ctx.now()),
  }),
  internalOperation({
    operationId: 'teamInvite',
    method: 'POST',
    params: Team,
    body: Invited,
    open: ({ ctx, params }) => openOwnedTeam(ctx, params.id),
    handle: ({ ctx, opened: team, body }) => invite(ctx, { team }, body.email),
  }),
  internalOperation({
    operationId: 'teamRevokeInvitation',
    method: 'POST',
    params: Team,
    body: Revoked,
    open: ({ ctx, params }) => openOwnedTeam(ctx, params.id),
    handle: ({ ctx, opened: team, body }) => revokeInvitation(ctx, { team }, body.id),
  }),
] as const
