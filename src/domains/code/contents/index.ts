/**
 * Contents: commits, branches, tags, files and git objects of a repository, and the policy of its refs.
 */

import { defineSlice } from '#slices'
import { contentsActivities } from './activities.ts'
import { sweepDeletedBranches } from './branches/deleted-branches.ts'
import { contentsConsumers } from './consumers.ts'
import { contentsOperations } from './internal-operations.ts'
import { contentsRoutes } from './routes.ts'
import { contentsWebhooks } from './webhooks/index.ts'

export type { BranchesByDate } from './branches/branches-by-date.ts'
export type { DeletedBranch } from './branches/deleted-branches.ts'
export { authorsOf } from './commits/authorship.ts'
export type { BlamedLines } from './commits/blame.ts'
export { Commit, CommitUser, presentPerson } from './commits/commit-wire.ts'
export { showCommits } from './commits/show-commits.ts'
export type { Place } from './files/page-place.ts'
export type { Code } from './open-code.ts'
export type { ForkDistance } from './refs/fork-distance.ts'
export { codePolicy, isDeployKey, mergePolicy, type Pusher } from './refs/ref-policy.ts'
export { CommitQuery, Whitespace } from './schemas.ts'
export { SignatureChecks } from './signatures/remember.ts'
export { presentHookCommit } from './webhooks/commits.ts'

export const slice = defineSlice({
  name: 'contents',
  tables: ['deleted_branch'],
  routes: contentsRoutes,
  internalOperations: contentsOperations,
  emits: ['tag.deleted'],
  consumers: contentsConsumers,
  webhooks: contentsWebhooks,
  activities: contentsActivities,
  tasks: [{ name: 'sweep_deleted_branches', schedule: '@every 24h', run: sweepDeletedBranches }],
})
