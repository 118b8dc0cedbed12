/** Activity: acts in repositories, in the feeds of their actors, owners and watchers. */
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { activityConsumers, recordingConsumers } from './consumers.ts'
import { activityOperations } from './internal-operations.ts'
import { activityJobs } from './record-acts.ts'
import { activityTasks } from './retention.ts'
import { activityRoutes } from './routes.ts'

export type { PushedBranch } from './pushed-branches.ts'

export const slice = defineSlice({
  name: 'activity',
  tables: ['activity', 'activity_feed'],
  routes: activityRoutes,
  internalOperations: activityOperations,
  consumers: activityConsumers,
  consumersFor: recordingConsumers,
  jobs: activityJobs,
  tasks: activityTasks,
  settings: SETTINGS,
})
