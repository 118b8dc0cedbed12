/** OAuth2 applications of third parties. Only registration is implemented; the authorization flow needs pages. */
import { defineSlice } from '#slices'
import { oauth2Routes } from './routes.ts'

export const slice = defineSlice({
  name: 'oauth2',
  tables: ['oauth2_application'],
  routes: oauth2Routes,
})
