/**
 * Users: accounts of every kind, their profiles, addresses, passwords and second factors; who follows, blocks and
 * belongs to whom.
 *
 * Owns    tables `account`, `account_*`, `follow`, `membership`, `sign_in_failure`
 * Serves  /user, /users, /admin/users, /admin/emails
 * Tells   nothing yet
 */
export {
  count,
  deleteAccount,
  findAccount,
  findAccountById,
  findAccountsById,
  findRedirect,
  insertAccount,
  keyOf,
  renameAccount,
  selectAccounts,
  updateAccount,
} from './accounts.ts'
export { actorOf, refusalOf } from './actors.ts'
export { assertEmail, assertLogin, LOGIN_MAX } from './names.ts'
export { isVisible, lookUpAccount, openUser, type VisibleAccount } from './open-user.ts'
export { signIn } from './sign-in.ts'
export type { Account, AccountKind } from './tables.ts'
export { avatarUrl, noreplyEmail, presentUser, User } from './wire.ts'
