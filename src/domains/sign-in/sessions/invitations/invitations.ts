/**
 * Invitations: single-use links to register or to join a team. Administrators invite to the site, owners of an
 * organization to their teams. Access that the inviter has lost when the invitation is accepted is not granted.
 */
import { digestOf } from '#domains/code/keys'
import { isMailOn } from '#domains/instance/mail'
import { joinTeam, type OwnedTeam, openOwnedTeam, openTeam } from '#domains/people/orgs'
import { type Account, actAs, assertEmail, findAccountById, openUser } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { SiteAdmin } from '#platform/rest'
import { orderLetter, tooManyLetters } from '../letters/letters.ts'
import type { InvitationRow } from '../tables.ts'
import { isToken, later, newToken } from '../web/sessions.ts'

const LISTED_MAX = 100
const OPEN_MAX = 1_000

/** An invitation that can still be accepted, with its inviter. */
export interface OpenInvitation extends InvitationRow {
  readonly inviter: Account
}

/** Proof that the caller may invite: an administrator to the site, an owner to a team. */
export type Inviting = { readonly admin: SiteAdmin } | { readonly team: OwnedTeam }

/**
 * Returns the link if the inviter may see it. The link also verifies the address, so otherwise it is only sent by
 * mail.
 */
export async function invite(ctx: Context, inviting: Inviting, email: string): Promise<string | undefined> {
  assertEmail(email)
  const { actor } = ctx
  if (actor === null) throw notFound('user', '')
  const token = newToken()
  const now = ctx.now()
  const link = `${ctx.site.url}/org/invite/${token}`
  await transact(ctx, async (ctx) => {
    if ((await countOpen(ctx, actor.id)) >= OPEN_MAX)
      throw invalid('too many open invitations', { most: OPEN_MAX })
    const row = {
      digest: digestOf(token),
      inviter_id: actor.id,
      email,
      team_id: 'team' in inviting ? inviting.team.team.id : null,
      created_at: now,
      expires_at: later(now, ctx.config['registration.invitation_s']),
      accepted_by: null,
      accepted_at: null,
    }
    await ctx.db.insertInto('invitation').values(row).execute()
    // For administrators only the limit of the instance applies.
    const sender = 'team' in inviting ? { senderId: actor.id } : {}
    if (!(await orderLetter(ctx, { kind: 'invite', email, name: actor.login, link, ...sender })))
      throw tooManyLetters()
  })
  return 'admin' in inviting || !isMailOn(ctx.config) ? link : undefined
}

/** Invitations to a team, or those without a team. */
export function listInvitations(db: Db, teamId: number | null, now: Date): Promise<InvitationRow[]> {
  return selectOpen(db, teamId, now).execute()
}

export function selectOpen(db: Db, teamId: number | null, now: Date) {
  const open = db
    .selectFrom('invitation')
    .selectAll()
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(LISTED_MAX)
  return teamId === null ? open.where('team_id', 'is', null) : open.where('team_id', '=', teamId)
}

export async function revokeInvitation(ctx: Context, inviting: Inviting, id: number): Promise<void> {
  const teamId = 'team' in inviting ? inviting.team.team.id : null
  await transact(ctx, async (ctx) => {
    const gone = await ctx.db
      .deleteFrom('invitation')
      .where('id', '=', id)
      .where('team_id', 'is not distinct from', teamId)
      .where('accepted_at', 'is', null)
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw notFound('invitation', id)
  })
}

export async function findInvitation(ctx: Context, token: string): Promise<OpenInvitation | undefined> {
  if (!isToken(token)) return undefined
  const row = await ctx.db
    .selectFrom('invitation')
    .selectAll()
    .where('digest', '=', digestOf(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  const inviter = row && (await findAccountById(ctx.db, row.inviter_id))
  return row && inviter && { ...row, inviter }
}

/** The organization and team of an invitation, as the inviter sees them. */
export async function describeInvitation(
  ctx: Context,
  { team_id, inviter }: OpenInvitation,
): Promise<{ organization: string; team: string } | undefined> {
  const asInviter = team_id === null ? undefined : await actAs(ctx, inviter.id)
  if (team_id === null || asInviter === undefined) return undefined
  const { team, org } = await openTeam(asInviter, team_id)
  return { organization: org.login, team: team.name }
}

export async function acceptInvitation(
  ctx: Context,
  invitation: OpenInvitation,
  account: Account,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const now = ctx.now()
    const taken = await ctx.db
      .updateTable('invitation')
      .set({ accepted_by: account.id, accepted_at: now })
      .where('id', '=', invitation.id)
      .where('accepted_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) throw invalid('this invitation has expired or was used already')
    if (invitation.team_id !== null) await join(ctx, invitation, invitation.team_id, account)
  })
}

/** Invariant: the user is added with the inviter's current access. */
async function join(ctx: TxContext, { inviter }: OpenInvitation, teamId: number, { login }: Account) {
  const { reopen: _, ...rest } = ctx
  const asInviter = await actAs(rest, inviter.id)
  if (asInviter === undefined) throw invalid('whoever sent this invitation may not invite any more')
  await joinTeam(asInviter, await openOwnedTeam(asInviter, teamId), await openUser(asInviter, login))
}

async function countOpen(ctx: Context, inviterId: number): Promise<number> {
  const { open } = await ctx.db
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('inviter_id', '=', inviterId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirstOrThrow()
  return Number(open)
}
