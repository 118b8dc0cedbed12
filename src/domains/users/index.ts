/**
 * Users: accounts of every kind, their profiles, addresses, passwords and second factors; who follows, blocks and
 * belongs to whom.
 */

import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { usersRoutes } from './routes/index.ts'
import { userTasks } from './tasks.ts'

export {
  accountJson,
  count,
  countMany,
  deleteAccount,
  findAccount,
  findAccountById,
  findAccountsById,
  findRedirect,
  insertAccount,
  keyOf,
  readAccount,
  renameAccount,
  selectAccounts,
  updateAccount,
} from './accounts.ts'
export { actorOf, refusalOf, visitorOf } from './actors.ts'
export { createBadge } from './badges.ts'
export { assertBlocked, blockAccount, listBlocked, unblockAccount } from './blocks.ts'
export { createUser, type NewUser } from './create-user.ts'
export { forgetUser } from './delete-user.ts'
export type { UserEvent } from './events.ts'
export { addMember, findMembership, listMembers, removeMembers, setMemberPublic } from './memberships.ts'
export { assertEmail, assertLogin, LOGIN_MAX } from './names.ts'
export {
  findVisible,
  isVisible,
  lookUpAccount,
  type ManagedUser,
  openManaged,
  openToTie,
  openUser,
  type VisibleAccount,
} from './open-user.ts'
export { setPassword } from './passwords.ts'
export {
  copyPicture,
  dropPicture,
  findPicture,
  PICTURE_TEXT_MAX,
  setAvatar,
  storePicture,
} from './pictures.ts'
export { UpdateUserAvatarOption, UserPath } from './schemas.ts'
export { findStillSignedIn, type SignedInAccount, signIn } from './sign-in.ts'
export type { Account, AccountKind } from './tables.ts'
export { areApart, isBlocked, shareTies } from './ties.ts'
export { dropTotp, enrollTotp } from './totp.ts'
export { visibleTo } from './visible.ts'
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
    'follow',
    'account_block',
    'membership',
    'badge',
    'account_badge',
    'sign_in_failure',
  ],
  routes: usersRoutes,
  emits: ['user.leaving', 'user.purging', 'account.purging', 'account.blocked'],
  tasks: userTasks,
  settings: SETTINGS,
})
