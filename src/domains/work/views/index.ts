/** Saved views: filtered lists that a user has named. */
import { defineSlice } from '#slices'
import { viewOperations } from './internal-operations.ts'

export type { SavedView } from './tables.ts'

export const slice = defineSlice({
  name: 'views',
  tables: ['saved_view'],
  internalOperations: viewOperations,
})
