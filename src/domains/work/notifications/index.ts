/** Notifications: threads, mail and live updates for users, and what they have read. */
import { defineSlice } from '#slices'
import { notificationConsumers } from './consumers.ts'
import { notificationOperations } from './internal-operations.ts'
import { SETTINGS } from './live/config.ts'
import { hintHandlers } from './live/hints.ts'
import { liveRoutes } from './live/routes.ts'
import { mailJobs } from './mail/send-mail.ts'
import { unsubscribeRoutes } from './mail/unsubscribe.ts'
import { notificationRoutes } from './routes.ts'

export { Live } from './live/live.ts'
export type { Reason } from './tables.ts'

export const slice = defineSlice({
  name: 'notifications',
  tables: ['notification', 'notification_mail'],
  routes: notificationRoutes,
  internalOperations: notificationOperations,
  rawRoutes: [...unsubscribeRoutes, ...liveRoutes],
  consumers: notificationConsumers,
  jobs: mailJobs,
  handlers: hintHandlers,
  settings: SETTINGS,
})
