/**
 * SCIM 2.0 (RFC 7643, RFC 7644): clients of an authentication source create, change and suspend its people, and put them
 * into groups. A person of SCIM and a person who signs in with the source are one account, found by the subject.
 */
import { defineSlice } from '#slices'
import { discoveryRoutes } from './discovery/routes.ts'
import { groupJobs } from './groups/follow.ts'
import { groupRoutes } from './groups/routes.ts'
import { scimTokenRoutes } from './tokens/routes.ts'
import { userRoutes } from './users/routes.ts'

export { createScimToken, listScimTokens, revokeScimToken } from './tokens/tokens.ts'

export const slice = defineSlice({
  name: 'scim',
  tables: ['scim_token', 'scim_user', 'scim_group'],
  routes: scimTokenRoutes,
  rawRoutes: [...userRoutes, ...groupRoutes, ...discoveryRoutes],
  jobs: groupJobs,
})
