/** Serves a passkey challenge for the browser's autofill (conditional mediation). */
import { type RawRoute, rawRoute } from '#platform/rest'
import { requestSignIn } from './factors/passkeys.ts'

export const passkeyRoutes: readonly RawRoute[] = [
  rawRoute({
    method: 'POST',
    path: '/-/passkey',
    operationId: 'webOfferPasskey',
    scopes: [],
    takesSession: 'only',
    open: () => null,
    handle: async ({ ctx }) => ({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify(await requestSignIn(ctx, true)),
    }),
  }),
]
