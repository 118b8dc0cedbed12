/**
 * Instance: public information about the installation.
 */
import { defineSlice } from '#slices'
import { settingsRoutes } from './routes/settings.ts'
import { templateRoutes } from './routes/templates.ts'

export const slice = defineSlice({
  name: 'instance',
  routes: [...settingsRoutes, ...templateRoutes],
})
