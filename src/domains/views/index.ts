/** Views: lists that somebody looks at again and again, by names of their own. */
import { defineSlice } from '#slices'

export type { SavedView } from './tables.ts'
export { dropView, listViews, saveView } from './views.ts'

export const slice = defineSlice({ name: 'views', tables: ['saved_view'] })
