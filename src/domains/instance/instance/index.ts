/**
 * Instance: what a client may know about the installation itself.
 */
import { defineSlice } from '#slices'
import { settingsRoutes } from './routes/settings.ts'
import { templateRoutes } from './routes/templates.ts'

export const slice = defineSlice({
  name: 'instance',
  routes: [...settingsRoutes, ...templateRoutes],
})
