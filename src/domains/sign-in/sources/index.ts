/**
 * Sources of sign-in other than passwords of the forge: identity providers and directories. An identity is a source and a
 * subject; names and e-mail addresses identify no account.
 */
import { handler } from '#events/handler'
import type { InternalOperations } from '#platform/rest'
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { identityOperations } from './identities/operations.ts'
import { sweepSteps } from './identities/steps.ts'
import { directoryJobs, keepProhibited, orderChecks } from './ldap/check-people.ts'
import { sourceRoutes } from './records/routes.ts'
import { SEALED_FOR } from './records/sources.ts'
import { samlRoutes } from './saml/routes.ts'

export type { LinkedIdentity } from './events.ts'
export {
  findIdentity,
  findIdentityOf,
  findLinked,
  insertIdentity,
  renameSubject,
} from './identities/store.ts'
export { listHalted } from './ldap/brake.ts'
export { followGroups } from './mappings/follow-groups.ts'
export {
  dropMembers,
  dropMemberships,
  insertMembers,
  isMapped,
  listMemberIds,
  renameMembersGroup,
} from './mappings/provisioned.ts'
export { observeSources } from './metrics.ts'
export { GROUP_NAME_MAX, SUBJECT_MAX, usernameFrom } from './profile.ts'
export { readCreateSource, readEditSource } from './records/from-json.ts'
export {
  asOperator,
  createSource,
  deleteSource,
  editSource,
  findSourceByName,
  listAllSources,
  type SourceAdmin,
  showSource,
} from './records/sources.ts'
export { getSource, lockSource, shareSource } from './records/store.ts'
export type { IdentityRow, SourceRow } from './tables.ts'

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof identityOperations> {}
}

export const slice = defineSlice({
  name: 'sources',
  tables: [
    'authentication_source',
    'external_identity',
    'source_step',
    'source_mapping',
    'provisioned_member',
  ],
  sealed: [{ table: 'authentication_source', column: 'sealed_secret', purpose: SEALED_FOR }],
  routes: sourceRoutes,
  rawRoutes: samlRoutes,
  internalOperations: identityOperations,
  emits: ['identity.linked'],
  tasks: [
    { name: 'sweep_source_steps', schedule: '@every 1h', run: sweepSteps },
    { name: 'check_directories', schedule: '@every 1h', run: orderChecks },
  ],
  jobs: directoryJobs,
  handlers: [handler('account.prohibited', keepProhibited)],
  settings: SETTINGS,
})
