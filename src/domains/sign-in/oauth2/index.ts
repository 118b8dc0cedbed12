/**
 * OAuth2 and OpenID Connect: applications that people authorize to act for them or to sign them in. Their access tokens
 * are rows of the keys slice and pass the same checks as every other token.
 */
import { handler } from '#events/handler'
import type { Context } from '#platform/context'
import type { InternalOperations } from '#platform/rest'
import { defineSlice } from '#slices'
import { applicationOperations } from './applications/operations.ts'
import { oauth2Routes } from './applications/routes.ts'
import { sweepCodes } from './authorization/codes.ts'
import { deleteGrantsOf } from './authorization/grants.ts'
import { authorizationOperations } from './authorization/operations.ts'
import { SETTINGS } from './config.ts'
import { identityRoutes } from './identity/routes.ts'
import { PURPOSE, rotateKeys } from './identity/signing-keys.ts'
import { sweepFamilies } from './tokens/families.ts'
import { tokenRoutes } from './tokens/routes.ts'

const operations = [...authorizationOperations, ...applicationOperations] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof operations> {}
}

export const slice = defineSlice({
  name: 'oauth2',
  tables: [
    'oauth2_application',
    'oauth2_grant',
    'oauth2_token_family',
    'oauth2_code',
    'oauth2_refresh_token',
    'oauth2_signing_key',
  ],
  sealed: [{ table: 'oauth2_signing_key', column: 'sealed_private_key', purpose: PURPOSE }],
  routes: oauth2Routes,
  internalOperations: operations,
  rawRoutes: [...tokenRoutes, ...identityRoutes],
  handlers: [
    handler('account.credentials_changed', ({ db }, { account_id }) => deleteGrantsOf(db, account_id)),
    handler('account.access_ended', ({ db }, { account_id }) => deleteGrantsOf(db, account_id)),
  ],
  tasks: [
    { name: 'sweep_oauth2', schedule: '@every 1h', run: sweep },
    { name: 'rotate_oauth2_keys', schedule: '@midnight', run: rotateKeys },
  ],
  settings: SETTINGS,
})

async function sweep(ctx: Context): Promise<void> {
  await sweepCodes(ctx.db, ctx.now())
  await sweepFamilies(ctx)
}
