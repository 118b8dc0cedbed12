/**
 * OAuth2: programs of others that may ask people to act for them. So far they are registered; asking needs pages.
 */
import { defineSlice } from '#slices'
import { oauth2Routes } from './routes.ts'

export const slice = defineSlice({
  name: 'oauth2',
  tables: ['oauth2_application'],
  routes: oauth2Routes,
})
