/**
 * Issue templates: the files of a repository that say how its issues are begun. It owns no table: it reads the default
 * branch. It serves `issue_templates` and `issue_config` of a repository, tells of nothing and hears of nothing.
 */
import { defineSlice } from '#slices'
import { templateRoutes } from './routes.ts'

export const slice = defineSlice({
  name: 'issue-templates',
  routes: templateRoutes,
})
