/**
 * Users: accounts of every kind, their profiles, addresses, passwords and second factors; who follows, blocks and
 * belongs to whom.
 *
 * Owns    tables `account`, `account_*`, `follow`, `membership`, `sign_in_failure`
 * Serves  /user, /users, /user/emails, /user/following, /user/blocks, /admin/users, /admin/emails
 * Tells   nothing yet
 */
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
export { deleteUser, forgetUser, lockForDeletion } from './delete-user.ts'
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
export { usersRoutes } from './routes/index.ts'
export { UpdateUserAvatarOption } from './schemas.ts'
export { findStillSignedIn, type SignedInAccount, signIn } from './sign-in.ts'
export type { Account, AccountKind } from './tables.ts'
export { userTasks } from './tasks.ts'
export { areApart, isBlocked } from './ties.ts'
export { dropTotp, enrollTotp } from './totp.ts'
export { visibleTo } from './visible.ts'
export { avatarUrl, noreplyEmail, presentUser, User } from './wire.ts'
