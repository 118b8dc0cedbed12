/** Views: lists that somebody looks at again and again, by names of their own. */
import { defineSlice } from '#slices'
import { viewOperations } from './internal-operations.ts'

export type { SavedView } from './tables.ts'

export const slice = defineSlice({
  name: 'views',
  tables: ['saved_view'],
  internalOperations: viewOperations,
})
