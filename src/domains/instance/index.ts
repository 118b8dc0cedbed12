/**
 * Instance: what a client may know about the installation itself, and what it does for texts.
 *
 * Serves  /version, /settings/*, /signing-key.*, /gitignore, /licenses, /label/templates, /markdown, /markup
 */
import type { Route } from '#platform/rest'
import { renderingRoutes } from './routes/rendering.ts'
import { settingsRoutes } from './routes/settings.ts'
import { templateRoutes } from './routes/templates.ts'

export const instanceRoutes: readonly Route[] = [...settingsRoutes, ...templateRoutes, ...renderingRoutes]
