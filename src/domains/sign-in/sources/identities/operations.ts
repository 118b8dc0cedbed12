/** Internal operations for web pages: sign-in with a source, and the identities of the user's own account. */
import { Type } from 'typebox'
import { asPreparation } from '#platform/context'
import { asAnybody, asSignedIn, internalOperation, time } from '#platform/rest'
import { proveAtDirectory } from '../ldap/sign-in.ts'
import { beginOidc, finishOidc } from '../oidc/flow.ts'
import { usernameFrom } from '../profile.ts'
import { getEnabled, selectSources } from '../records/store.ts'
import { beginSaml, finishSaml } from '../saml/flow.ts'
import { listLinked, unlink } from './linked.ts'
import { getPending, linkPending, registerPending, signInBySource } from './sign-in.ts'

const Token = Type.String({ maxLength: 100 })
const QUERY_MAX = 16_384
const From = Type.Object({ address: Type.String(), agent: Type.String() })

export const identityOperations = [
  internalOperation({
    operationId: 'sourceListEnabled',
    method: 'GET',
    open: asAnybody,
    handle: async ({ ctx }) => {
      const rows = await selectSources(ctx.db).where('is_enabled', '=', true).orderBy('name_key').execute()
      return rows.map(({ name, kind }) => ({ name, kind }))
    },
  }),
  /** Inserts the request, although it is a GET: browsers begin the protocol with one. */
  internalOperation({
    operationId: 'sourceBegin',
    method: 'GET',
    params: Type.Object({ source: Type.String() }),
    query: Type.Object({ to: Type.String({ maxLength: 4_000 }) }),
    open: asAnybody,
    handle: async ({ ctx, params, query }) =>
      beginOidc(ctx, await getEnabled(ctx.db, params.source, 'oidc'), query.to),
  }),
  /** The answer of a provider, which browsers bring by a GET. */
  internalOperation({
    operationId: 'sourceFinish',
    method: 'POST',
    params: Type.Object({ source: Type.String() }),
    body: Type.Object({ token: Token, query: Type.String({ maxLength: QUERY_MAX }), from: From }),
    open: asAnybody,
    handle: async ({ ctx, params, body: { token, query, from } }) => {
      const source = await getEnabled(ctx.db, params.source, 'oidc')
      const { profile, to } = await finishOidc(asPreparation(ctx), source, { token, query })
      return { entered: await signInBySource(ctx, source, profile, from), to }
    },
  }),
  /** As `sourceBegin`. */
  internalOperation({
    operationId: 'sourceBeginSaml',
    method: 'GET',
    params: Type.Object({ source: Type.String() }),
    query: Type.Object({ to: Type.String({ maxLength: 4_000 }) }),
    open: asAnybody,
    handle: async ({ ctx, params, query }) =>
      beginSaml(ctx, await getEnabled(ctx.db, params.source, 'saml'), query.to),
  }),
  /** After the assertion consumer service, which redirects the browser. */
  internalOperation({
    operationId: 'sourceFinishSaml',
    method: 'POST',
    params: Type.Object({ source: Type.String() }),
    body: Type.Object({ token: Token, from: From }),
    open: asAnybody,
    handle: async ({ ctx, params, body: { token, from } }) => {
      const source = await getEnabled(ctx.db, params.source, 'saml')
      const { profile, to } = await finishSaml(asPreparation(ctx), source, token)
      return { entered: await signInBySource(ctx, source, profile, from), to }
    },
  }),
  /** Null if name or password is wrong. */
  internalOperation({
    operationId: 'sourceByPassword',
    method: 'POST',
    params: Type.Object({ source: Type.String() }),
    body: Type.Object({
      name: Type.String(),
      password: Type.String(),
      from: From,
    }),
    open: asAnybody,
    handle: async ({ ctx, params, body: { name, password, from } }) => {
      const source = await getEnabled(ctx.db, params.source, 'ldap')
      const profile = await proveAtDirectory(ctx, source, { name, password, address: from.address })
      return profile === undefined ? null : signInBySource(ctx, source, profile, from)
    },
  }),
  /** For the page that asks for the password. */
  internalOperation({
    operationId: 'sourceGetDirectory',
    method: 'GET',
    params: Type.Object({ source: Type.String() }),
    open: asAnybody,
    handle: async ({ ctx, params }) => ({ name: (await getEnabled(ctx.db, params.source, 'ldap')).name }),
  }),
  internalOperation({
    operationId: 'sourceGetPending',
    method: 'GET',
    query: Type.Object({ token: Token }),
    open: asAnybody,
    handle: async ({ ctx, query }) => {
      const { source, profile } = await getPending(ctx, query.token)
      return {
        source: source.name,
        login: profile.login || profile.subject,
        mayRegister: source.may_register,
        username: usernameFrom(profile.login),
      }
    },
  }),
  internalOperation({
    operationId: 'sourceRegister',
    method: 'POST',
    body: Type.Object({
      token: Token,
      username: Type.String(),
      from: From,
    }),
    open: asAnybody,
    handle: ({ ctx, body: { token, username, from } }) => registerPending(ctx, token, username, from),
  }),
  internalOperation({
    operationId: 'userLinkIdentity',
    method: 'POST',
    body: Type.Object({ token: Token }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => linkPending(ctx, opened, body.token),
  }),
  internalOperation({
    operationId: 'userListIdentities',
    method: 'GET',
    open: asSignedIn,
    handle: async ({ ctx, opened }) =>
      (await listLinked(ctx.db, opened.id)).map(({ last_used_at, created_at, ...row }) => ({
        ...row,
        last_used_at: time(last_used_at ?? created_at),
      })),
  }),
  internalOperation({
    operationId: 'userUnlinkIdentity',
    method: 'POST',
    body: Type.Object({ id: Type.Integer() }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => unlink(ctx, opened, body.id),
  }),
] as const
