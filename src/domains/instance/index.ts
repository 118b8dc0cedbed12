/**
 * Instance: what a client may know about the installation itself, and what it does for texts.
 */
import { defineSlice } from '#slices'
import { renderingRoutes } from './routes/rendering.ts'
import { settingsRoutes } from './routes/settings.ts'
import { templateRoutes } from './routes/templates.ts'

export const slice = defineSlice({
  name: 'instance',
  routes: [...settingsRoutes, ...templateRoutes, ...renderingRoutes],
})
