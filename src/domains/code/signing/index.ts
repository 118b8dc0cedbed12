/**
 * Signing: the key of the instance, with which it signs the commits that it makes for people.
 */
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { signingRoutes } from './routes.ts'

export { findSigner } from './signing-key.ts'
export { findSigningKey } from './store.ts'

export const slice = defineSlice({
  name: 'signing',
  tables: ['signing_key'],
  routes: signingRoutes,
  settings: SETTINGS,
})
