/** Drafts: what somebody is writing, by account and place, so that no node and no browser can lose it. */
import { defineSlice } from '#slices'
import { sweepDrafts } from './drafts.ts'

export { DRAFT_MAX, dropDraft, findDrafts, keepDraft } from './drafts.ts'

export const slice = defineSlice({
  name: 'drafts',
  tables: ['draft'],
  tasks: [{ name: 'sweep_drafts', schedule: '@every 24h', run: sweepDrafts }],
})
