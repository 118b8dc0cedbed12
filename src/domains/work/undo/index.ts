/** Undo: what an account did a moment ago, so that the next page can offer to take it back. */
import { defineSlice } from '#slices'
import { undoOperations } from './internal-operations.ts'
import { sweepActs } from './undo.ts'

export type { Act } from './tables.ts'

export const slice = defineSlice({
  name: 'undo',
  tables: ['undo'],
  internalOperations: undoOperations,
  tasks: [{ name: 'sweep_undo', schedule: '@every 24h', run: sweepActs }],
})
