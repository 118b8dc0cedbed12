/**
 * Quotas: the bytes that each owner stores, by kind, and their limits. Slices that store bytes count them here, in the
 * transaction that adds or removes them.
 */
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { quotaOperations } from './internal-operations.ts'

export { type CountedBytes, countBytes } from './count.ts'
export { isFull, USAGE_KINDS, type UsageKind } from './decide.ts'
export { writeUsage } from './usage.ts'

export const slice = defineSlice({
  name: 'quotas',
  tables: ['account_usage'],
  internalOperations: quotaOperations,
  settings: SETTINGS,
})
