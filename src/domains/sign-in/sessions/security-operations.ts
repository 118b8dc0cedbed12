/** Security of the user's own account: sessions, password, second factors, addresses. */
import { Type } from 'typebox'
import { confirmTotp, dropTotp, findTotp, openPrepared, prepareTotp } from '#domains/people/users'
import { asPreparation } from '#platform/context'
import { invalid } from '#platform/problem'
import { asSignedIn, internalOperation } from '#platform/rest'
import { addPasskey, dropPasskey, listPasskeys, provePasskey, requestPasskey } from './factors/passkeys.ts'
import { countRecoveryCodes, dropRecoveryCodes, makeRecoveryCodes } from './factors/recovery-codes.ts'
import { findVerifying, verifyEmail } from './registration/verify-email.ts'
import { changePassword, elevateSession, endSession, endSessions, listSessions } from './web/sessions.ts'

/** The session of the calling browser, which is kept when others are ended. */
const SessionId = Type.Integer()
const Code = Type.String({ maxLength: 2_000 })
/** WebAuthn response as JSON. */
const Response = Type.String({ maxLength: 65_536 })

export const securityOperations = [
  internalOperation({
    operationId: 'userGetSecurity',
    method: 'GET',
    open: asSignedIn,
    handle: async ({ ctx, opened: { id } }) => {
      const [sessions, totp, codesLeft, passkeys] = await Promise.all([
        listSessions(ctx.db, id, ctx.now()),
        findTotp(ctx.db, id),
        countRecoveryCodes(ctx.db, id),
        listPasskeys(ctx.db, id),
      ])
      return { sessions, hasTotp: totp !== undefined, codesLeft, passkeys }
    },
  }),
  internalOperation({
    operationId: 'userEndSession',
    method: 'POST',
    body: Type.Object({ id: SessionId }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => endSession(ctx, opened.id, body.id),
  }),
  internalOperation({
    operationId: 'userEndOtherSessions',
    method: 'POST',
    body: Type.Object({ session_id: SessionId }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => endSessions(ctx, opened.id, body.session_id),
  }),
  internalOperation({
    operationId: 'userChangePassword',
    method: 'POST',
    body: Type.Object({ session_id: SessionId, password: Type.String() }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => changePassword(ctx, opened.account, body.session_id, body.password),
  }),
  internalOperation({
    operationId: 'userPrepareTotp',
    method: 'POST',
    open: asSignedIn,
    handle: ({ ctx, opened }) => prepareTotp(ctx, opened.account),
  }),
  /** Returns recovery codes; null if the code was wrong, and the prepared secret can be tried again. */
  internalOperation({
    operationId: 'userConfirmTotp',
    method: 'POST',
    body: Type.Object({ session_id: SessionId, sealed: Code, passcode: Code }),
    open: asSignedIn,
    handle: async ({ ctx, opened: { account }, body: { session_id, sealed, passcode } }) => {
      const prepared = await openPrepared(ctx, account, sealed)
      if (prepared === undefined) throw invalid('the second factor was prepared too long ago')
      if (!(await confirmTotp(ctx, account, sealed, passcode)))
        return { prepared: { ...prepared, sealed }, codes: null }
      await endSessions(ctx, account.id, session_id)
      return { prepared: { ...prepared, sealed }, codes: await makeRecoveryCodes(ctx, account.id) }
    },
  }),
  internalOperation({
    operationId: 'userDropTotp',
    method: 'POST',
    body: Type.Object({ session_id: SessionId }),
    open: asSignedIn,
    handle: async ({ ctx, opened: { id }, body }) => {
      await dropTotp(ctx, id)
      await dropRecoveryCodes(ctx, id)
      await endSessions(ctx, id, body.session_id)
    },
  }),
  internalOperation({
    operationId: 'userMakeRecoveryCodes',
    method: 'POST',
    open: asSignedIn,
    handle: ({ ctx, opened }) => makeRecoveryCodes(ctx, opened.id),
  }),
  internalOperation({
    operationId: 'userRequestPasskey',
    method: 'POST',
    open: asSignedIn,
    handle: ({ ctx, opened }) => requestPasskey(ctx, opened),
  }),
  internalOperation({
    operationId: 'userAddPasskey',
    method: 'POST',
    body: Type.Object({ step: Code, response: Response, name: Type.String() }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => addPasskey(ctx, opened, body),
  }),
  /** The new token of the session, which is elevated; null if the passkey is wrong, or another account's. */
  internalOperation({
    operationId: 'userConfirmByPasskey',
    method: 'POST',
    body: Type.Object({ session_id: SessionId, step: Code, response: Response }),
    open: asSignedIn,
    handle: async ({ ctx, opened, body: { session_id, ...answer } }) => {
      const proven = await provePasskey(asPreparation(ctx), answer)
      const isOwn = proven?.account.id === opened.id
      const token = isOwn ? await elevateSession(ctx, session_id) : undefined
      if (token === undefined) ctx.audit?.refuse('unauthenticated')
      return token ?? null
    },
  }),
  /** Ends sessions that were started with the passkey. */
  internalOperation({
    operationId: 'userDropPasskey',
    method: 'POST',
    body: Type.Object({ id: Type.Integer(), session_id: SessionId }),
    open: asSignedIn,
    handle: async ({ ctx, opened, body: { id, session_id } }) => {
      await dropPasskey(ctx, opened, id)
      await endSessions(ctx, opened.id, session_id)
    },
  }),
  /** The address of a verification link; null if the link is not valid any more. */
  internalOperation({
    operationId: 'userFindVerifying',
    method: 'GET',
    query: Type.Object({ code: Code }),
    open: asSignedIn,
    handle: async ({ ctx, opened, query }) => (await findVerifying(ctx, opened, query.code)) ?? null,
  }),
  internalOperation({
    operationId: 'userVerifyEmail',
    method: 'POST',
    body: Type.Object({ code: Code }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => verifyEmail(ctx, opened, body.code),
  }),
] as const
