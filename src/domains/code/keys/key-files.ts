/** A user's public keys as text: `curl …/ann.keys >> authorized_keys`. */
import { Type } from 'typebox'
import { openUser } from '#domains/people/users'
import { type RawRoute, rawRoute } from '#platform/rest'
import { listGpgKeys } from './gpg/gpg-keys.ts'
import { listPublicKeys } from './ssh/public-keys.ts'

/** More keys than any user has. */
const ALL = { number: 1, limit: 100, offset: 0 }
const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
const Owner = Type.Object({ owner: Type.String({ maxLength: 100 }) })

export const keyFileRoutes: readonly RawRoute[] = [
  rawRoute({
    method: 'GET',
    path: '/:owner.keys',
    operationId: 'webGetKeys',
    scopes: ['user'],
    takesSession: true,
    params: Owner,
    open: ({ ctx, params }) => openUser(ctx, params.owner),
    handle: async ({ ctx, opened }) => {
      const { items } = await listPublicKeys(ctx, { accountId: opened.id, fingerprint: undefined }, ALL)
      return { status: 200, headers: TEXT, body: items.map(({ key }) => `${key}\n`).join('') }
    },
  }),
  rawRoute({
    method: 'GET',
    path: '/:owner.gpg',
    operationId: 'webGetGpgKeys',
    scopes: ['user'],
    takesSession: true,
    params: Owner,
    open: ({ ctx, params }) => openUser(ctx, params.owner),
    handle: async ({ ctx, opened }) => {
      const { items } = await listGpgKeys(ctx, opened, ALL)
      const body = items.map(({ key }) => `${key.armored.trim()}\n`).join('\n')
      return { status: 200, headers: TEXT, body }
    },
  }),
]
