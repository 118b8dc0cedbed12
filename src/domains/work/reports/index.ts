/** Reports: users report abuse, and site administrators act on it or dismiss it. */
import { defineSlice } from '#slices'
import { reportOperations } from './internal-operations.ts'
import { reportRoutes } from './routes.ts'

export const slice = defineSlice({
  name: 'reports',
  tables: ['abuse_report'],
  routes: reportRoutes,
  internalOperations: reportOperations,
})
