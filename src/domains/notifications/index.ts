/** Notifications: who is told of what happens, and what they have read of it. */
import { defineSlice } from '#slices'
import { notificationRoutes } from './routes.ts'
import { notificationConsumers } from './tell.ts'

export const slice = defineSlice({
  name: 'notifications',
  tables: ['notification'],
  routes: notificationRoutes,
  consumers: notificationConsumers,
})
