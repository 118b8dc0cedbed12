/** Reports: users report abuse, and site administrators act on it or dismiss it. */
import { defineSlice } from '#slices'
import { reportOperations } from './internal-operations.ts'

export type { Report } from './reports.ts'

export const slice = defineSlice({
  name: 'reports',
  tables: ['abuse_report'],
  internalOperations: reportOperations,
})
