/** Notifications: who is told of what happens, in threads and by mail, and what they have read of it. */
import { defineSlice } from '#slices'
import { mailJobs } from './mail/send-mail.ts'
import { unsubscribeRoutes } from './mail/unsubscribe.ts'
import { notificationRoutes } from './routes.ts'
import { notificationConsumers } from './tell.ts'

export const slice = defineSlice({
  name: 'notifications',
  tables: ['notification', 'notification_mail'],
  routes: notificationRoutes,
  rawRoutes: unsubscribeRoutes,
  consumers: notificationConsumers,
  jobs: mailJobs,
})
