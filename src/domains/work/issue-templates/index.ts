/**
 * Issue templates: `issue_templates` and `issue_config` of a repository, read from the default branch. Has no tables
 * and no events.
 */
import { defineSlice } from '#slices'
import { templateRoutes } from './routes.ts'

export const slice = defineSlice({
  name: 'issue-templates',
  routes: templateRoutes,
})
