/**
 * Signing: the instance's SSH key, which signs the commits that the forge creates on behalf of users.
 */
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { signingRoutes } from './routes.ts'
import { PURPOSE } from './signing-key.ts'

export { findSigner } from './signing-key.ts'
export { findSigningKey } from './store.ts'

export const slice = defineSlice({
  name: 'signing',
  tables: ['signing_key'],
  sealed: [{ table: 'signing_key', column: 'sealed_private_key', purpose: PURPOSE }],
  routes: signingRoutes,
  settings: SETTINGS,
})
