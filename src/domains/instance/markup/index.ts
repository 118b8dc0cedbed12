/**
 * Markup: texts of people as HTML that is safe to show, in bounded time and memory; and the words in them that mean
 * something to the forge.
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
