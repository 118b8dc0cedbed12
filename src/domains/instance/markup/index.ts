/**
 * Markup: renders texts of users to safe HTML in bounded time and memory, and finds references and mentions in them.
 */
import { defineSlice } from '#slices'
import { markupOperations } from './internal-operations.ts'
import { renderingRoutes } from './routes.ts'

export type { TextBase } from './relative-links.ts'
export { render } from './render.ts'
export {
  findWords,
  type Mention,
  type RefAction,
  type Reference,
  type Words,
} from './words/find-words.ts'

export const slice = defineSlice({
  name: 'markup',
  routes: renderingRoutes,
  internalOperations: markupOperations,
})
