/** Sign-in, sign-out, registration and password reset. Each operation answers with the next step of the browser. */
import { Type } from 'typebox'
import { isMailOn } from '#domains/instance/mail'
import { appeal, findSuspension, provePassword, Suspended } from '#domains/people/users'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { asAnybody, asSignedIn, internalOperation } from '#platform/rest'
import { provePasskey, requestSignIn } from './factors/passkeys.ts'
import { acceptInvitation, describeInvitation, findInvitation } from './invitations/invitations.ts'
import { askToRecover, findRecovering, recover } from './registration/recover.ts'
import { activate, register, registrationRefusal } from './registration/register.ts'
import { enterByCode, enterByNewPassword } from './steps/by-code.ts'
import { enter } from './steps/enter.ts'

const Text = Type.String({ maxLength: 2_000 })
/** Address and user agent of the browser, as the edge sees them. */
const From = Type.Object({ address: Type.String(), agent: Type.String() })

const APPEAL_MAX = 5_000

/** Why the account is suspended, for a person who knows its password. */
function unlessSuspended(ctx: Context) {
  return async (error: unknown) => {
    if (!(error instanceof Suspended)) throw error
    const found = await findSuspension(ctx.db, error.accountId)
    return {
      next: 'suspended' as const,
      accountId: error.accountId,
      reason: found?.reason ?? '',
      mayAppeal: found?.appealed_at === null,
    }
  }
}

export const signInOperations = [
  /** Whether registration and password reset are available. */
  internalOperation({
    operationId: 'signInGetWays',
    method: 'GET',
    open: asAnybody,
    handle: async ({ ctx }) => ({
      mayRegister: registrationRefusal(ctx, false) === null,
      isMailOn: isMailOn(ctx.config),
    }),
  }),
  /** Null if name or password is wrong. */
  internalOperation({
    operationId: 'signInByPassword',
    method: 'POST',
    body: Type.Object({ name: Type.String(), password: Type.String(), keeps: Type.Boolean(), from: From }),
    open: asAnybody,
    handle: async ({ ctx, body: { name, password, keeps, from } }) => {
      const attempt = { name, password, address: from.address }
      const proven = await provePassword(ctx, attempt).catch(unlessSuspended(ctx))
      if (proven === undefined || 'reason' in proven) return proven ?? null
      return enter(ctx, { ...proven, factors: ['password'], keeps }, from)
    },
  }),
  /** By a suspended user, once. Null if name or password is wrong, or the account is not suspended. */
  internalOperation({
    operationId: 'signInAppeal',
    method: 'POST',
    body: Type.Object({
      name: Type.String(),
      password: Type.String(),
      text: Type.String({ minLength: 1, maxLength: APPEAL_MAX }),
      from: From,
    }),
    open: asAnybody,
    handle: async ({ ctx, body: { name, password, text, from } }) => {
      const attempt = { name, password, address: from.address }
      const found = await provePassword(ctx, attempt).catch(unlessSuspended(ctx))
      if (found === undefined || !('reason' in found)) return null
      await appeal(ctx, found.accountId, text)
      return found.accountId
    },
  }),
  internalOperation({
    operationId: 'signInByCode',
    method: 'POST',
    body: Type.Object({ step: Text, code: Type.String(), from: From }),
    open: asAnybody,
    handle: ({ ctx, body: { step, code, from } }) => enterByCode(ctx, step, code, from),
  }),
  internalOperation({
    operationId: 'signInByNewPassword',
    method: 'POST',
    body: Type.Object({ step: Text, password: Type.String(), from: From }),
    open: asAnybody,
    handle: ({ ctx, body: { step, password, from } }) => enterByNewPassword(ctx, step, password, from),
  }),
  internalOperation({
    operationId: 'signInRequestPasskey',
    method: 'POST',
    body: Type.Object({ keeps: Type.Boolean() }),
    open: asAnybody,
    handle: ({ ctx, body }) => requestSignIn(ctx, body.keeps),
  }),
  /** Null if the response is not valid for the challenge. */
  internalOperation({
    operationId: 'signInByPasskey',
    method: 'POST',
    body: Type.Object({ step: Text, response: Type.String(), keeps: Type.Boolean(), from: From }),
    open: asAnybody,
    handle: async ({ ctx, body: { step, response, keeps, from } }) => {
      const proven = await provePasskey(ctx, { step, response })
      if (proven === undefined) {
        ctx.audit?.refuse('unauthenticated')
        return null
      }
      return enter(ctx, { ...proven, factors: ['passkey'], keeps: proven.keeps && keeps }, from)
    },
  }),
  internalOperation({
    operationId: 'recoveryAsk',
    method: 'POST',
    body: Type.Object({ name: Type.String({ maxLength: 255 }) }),
    open: asAnybody,
    handle: ({ ctx, body }) => askToRecover(ctx, body.name),
  }),
  /** The login of a reset link; null if the link is not valid any more. */
  internalOperation({
    operationId: 'recoveryGet',
    method: 'GET',
    query: Type.Object({ code: Text }),
    open: asAnybody,
    handle: async ({ ctx, query }) => (await findRecovering(ctx, query.code ?? ''))?.login ?? null,
  }),
  internalOperation({
    operationId: 'recoverySetPassword',
    method: 'POST',
    body: Type.Object({ code: Text, password: Type.String() }),
    open: asAnybody,
    handle: ({ ctx, body }) => recover(ctx, body.code, body.password),
  }),
  /** Includes why registration is refused, if it is. */
  internalOperation({
    operationId: 'signUpGetInvitation',
    method: 'GET',
    query: Type.Object({ token: Text }),
    open: asAnybody,
    handle: async ({ ctx, query }) => {
      const invitation = await findInvitation(ctx, query.token ?? '')
      const invited = invitation && {
        email: invitation.email,
        inviter: invitation.inviter.login,
        place: await describeInvitation(ctx, invitation),
      }
      return { invited, refusal: registrationRefusal(ctx, invitation !== undefined) }
    },
  }),
  internalOperation({
    operationId: 'signUp',
    method: 'POST',
    body: Type.Object({
      username: Type.String(),
      email: Type.String(),
      password: Type.String(),
      /** Empty without an invitation. */
      invitation: Text,
      from: From,
    }),
    open: asAnybody,
    handle: async ({ ctx, body: { invitation: token, from, ...input } }) => {
      const invitation = token === '' ? undefined : await findInvitation(ctx, token)
      if (token !== '' && invitation === undefined) throw goneInvitation()
      const account = await register(ctx, { ...input, invitation })
      if (!account.is_active) return { next: 'activate' as const, email: account.email }
      return enter(ctx, { account, factors: ['password'], keeps: false }, from)
    },
  }),
  internalOperation({
    operationId: 'signUpActivate',
    method: 'POST',
    body: Type.Object({ code: Text }),
    open: asAnybody,
    handle: async ({ ctx, body }) => void (await activate(ctx, body.code)),
  }),
  /** Returns the organization that the user has joined; null if there is none. */
  internalOperation({
    operationId: 'invitationAccept',
    method: 'POST',
    body: Type.Object({ token: Text }),
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      const invitation = await findInvitation(ctx, body.token)
      if (invitation === undefined) throw goneInvitation()
      const place = await describeInvitation(ctx, invitation)
      await acceptInvitation(ctx, invitation, opened.account)
      return place?.organization ?? null
    },
  }),
] as const

function goneInvitation() {
  return invalid('this invitation has expired or was used already')
}
