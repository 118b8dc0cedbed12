/**
 * Activity: what was done in repositories, in the feeds of those who did it, who own them and who watch them.
 *
 * Owns    tables `activity`, `activity_feed`
 * Serves  /users/:username/activities/feeds, /users/:username/heatmap, and the feeds of repositories, organizations
 *         and teams
 * Hears   push.received, mirror.synced, release.published, repository.created, .renamed, .transferred, .starred,
 *         .watched, .deleted
 */
export { activityConsumers } from './consumers.ts'
export { activityJobs } from './record-acts.ts'
export { activityRoutes } from './routes.ts'
