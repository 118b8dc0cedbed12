/**
 * Users: accounts of every kind, profiles, email addresses, passwords and second factors; follows, blocks and
 * memberships.
 */

import { defineSlice } from '#slices'
import { pictureRoutes } from './avatars/picture-routes.ts'
import { SETTINGS } from './config.ts'
import { userOperations } from './internal-operations.ts'
import { usersRoutes } from './routes.ts'
import { userTasks } from './sign-in/tasks.ts'
import { TOTP_PURPOSE } from './sign-in/totp.ts'

export {
  type AccountJson,
  accountJson,
  count,
  countMany,
  findAccount,
  findAccountById,
  findAccountsById,
  findAccountsByLogin,
  insertAccount,
  keyOf,
  readAccount,
  renameAccount,
  selectAccounts,
  shareAccount,
  updateAccount,
} from './accounts/accounts.ts'
export { actAs } from './accounts/act-as.ts'
export {
  actorOf,
  FACTOR_REQUIRED,
  lacksDemandedFactor,
  lacksSecondFactor,
  refusalOf,
  SUSPENDED,
  visitorOf,
} from './accounts/actors.ts'
export { setSiteAdmin } from './accounts/admin-role.ts'
export { confineAccounts, takesOwnCredentials } from './accounts/confine.ts'
export { createExternalUser, type ExternalUser } from './accounts/create-external.ts'
export { createUser, type NewUser } from './accounts/create-user.ts'
export { forgetInactive, forgetUser } from './accounts/delete-user.ts'
export { editExternalUser } from './accounts/edit-external.ts'
export { assertEmail, assertLogin, LOGIN_MAX } from './accounts/names.ts'
export {
  findVisible,
  isVisible,
  lookUpAccount,
  type ManagedUser,
  openManaged,
  openToTie,
  openUser,
  type VisibleAccount,
} from './accounts/open-user.ts'
export { setProhibited } from './accounts/prohibition.ts'
export { type Viewer, type ViewerValues, viewerIn, viewerValues } from './accounts/viewer.ts'
export { visibleTo } from './accounts/visible.ts'
export { type ImageKind, imageKindOf } from './avatars/image-kind.ts'
export { pictureRoute } from './avatars/picture-routes.ts'
export {
  copyPicture,
  dropPicture,
  keepPicture,
  PICTURE_TEXT_MAX,
  pictureKey,
  setAvatar,
  storePicture,
} from './avatars/pictures.ts'
export { createBadge } from './badges/badges.ts'
export { findEmails, verifyEmails } from './emails/emails.ts'
export type { UserEvent } from './events.ts'
export {
  addMember,
  findMembership,
  listMembers,
  removeMembers,
  setMemberPublic,
} from './memberships/memberships.ts'
export { UpdateUserAvatarOption, UserPath } from './schemas.ts'
export { guardAttempts } from './sign-in/guard-attempts.ts'
export { networkOf, rememberNetwork } from './sign-in/known-networks.ts'
export { keepOldHash, verifyOldHash } from './sign-in/old/old-hashes.ts'
export { setPassword } from './sign-in/passwords.ts'
export {
  findByNameOrEmail,
  findStillSignedIn,
  proveCode,
  provePassword,
  type SignedInAccount,
  Suspended,
  signIn,
} from './sign-in/sign-in.ts'
export {
  confirmTotp,
  dropTotp,
  enrollTotp,
  findTotp,
  openPrepared,
  prepareTotp,
  TOTP_PURPOSE,
  useCode,
} from './sign-in/totp.ts'
export { assertBlocked, blockAccount, listBlocked, unblockAccount } from './social/blocks.ts'
export {
  isBlocked,
  isBlockedByAny,
  isBlockedEitherWay,
  lockAgainstBlocks,
  mayBeNotifiedBy,
} from './social/ties.ts'
export { liftBySource, suspendBySource } from './suspension/by-source.ts'
export { OpenRequests } from './suspension/open-requests.ts'
export { appeal, findSuspension } from './suspension/suspension.ts'
export type { Account, AccountKind } from './tables.ts'
export { avatarUrl, noreplyEmail, presentUser, User } from './wire.ts'

export const slice = defineSlice({
  name: 'users',
  tables: [
    'account',
    'account_count',
    'account_redirect',
    'account_email',
    'account_password',
    'account_totp',
    'account_suspension',
    'follow',
    'account_block',
    'membership',
    'badge',
    'account_badge',
    'sign_in_failure',
    'known_address',
  ],
  sealed: [{ table: 'account_totp', column: 'sealed_secret', purpose: TOTP_PURPOSE }],
  routes: usersRoutes,
  internalOperations: userOperations,
  rawRoutes: pictureRoutes,
  emits: [
    'user.leaving',
    'user.purging',
    'account.purging',
    'account.forgotten',
    'account.blocked',
    'account.credentials_changed',
    'account.access_ended',
    'account.prohibited',
    'email.added',
  ],
  tasks: userTasks,
  settings: SETTINGS,
})
