/** Activity: acts in repositories, in the feeds of their actors, owners and watchers. */
import { defineSlice } from '#slices'
import { activityConsumers, recordingConsumers } from './consumers.ts'
import { activityJobs } from './record-acts.ts'
import { activityRoutes } from './routes.ts'

export const slice = defineSlice({
  name: 'activity',
  tables: ['activity', 'activity_feed'],
  routes: activityRoutes,
  consumers: activityConsumers,
  consumersFor: recordingConsumers,
  jobs: activityJobs,
})
