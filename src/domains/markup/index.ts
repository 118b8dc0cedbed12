/** Markup: texts of people as HTML that is safe to show, in bounded time and memory. */
import { defineSlice } from '#slices'
import { renderingRoutes } from './routes.ts'

export const slice = defineSlice({ name: 'markup', routes: renderingRoutes })
