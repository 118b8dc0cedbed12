/**
 * From a user of a SCIM client to an account. `externalId` is the subject of the person at the source: the account is the
 * one that signs in with it. Nothing is found by name or email address.
 */
import { type Account, createExternalUser, findAccountById } from '#domains/people/users'
import {
  findIdentity,
  findIdentityOf,
  insertIdentity,
  renameSubject,
  type SourceRow,
  usernameFrom,
} from '#domains/sign-in/sources'
import type { TxContext } from '#platform/context'
import { badRequest, taken } from '../protocol/problems.ts'
import { emailOf, fullNameOf, type SentUser } from './read-user.ts'

/** The account that signs in with the subject, or a new one. */
export async function accountFor(
  ctx: TxContext,
  source: SourceRow,
  sent: SentUser,
  { takesEmail }: { readonly takesEmail: boolean },
): Promise<Account> {
  const known = sent.externalId === null ? undefined : await findIdentity(ctx.db, source.id, sent.externalId)
  if (known !== undefined) return getAccount(ctx, known.account_id)
  const username = usernameFrom(sent.userName)
  if (username === '') throw badRequest('invalidValue', 'userName has no characters for a username')
  const account = await createExternalUser(ctx, {
    username,
    full_name: fullNameOf(sent.attributes),
    email: takesEmail ? emailOf(sent.attributes) : null,
    source_id: source.id,
    login_name: sent.userName,
    only_source_id: source.is_only_way ? source.id : null,
  })
  if (account === 'taken') throw new NameTaken()
  return account
}

/** Name or email address belong to an account that the person has not linked. */
export class NameTaken extends Error {}

/**
 * The person signs in with this subject from now on. Without an externalId an identity stays as it is. True if the account
 * has an identity only now, so that the mappings of the source begin to apply.
 */
export async function bindSubject(
  ctx: TxContext,
  source: SourceRow,
  accountId: number,
  sent: SentUser,
): Promise<boolean> {
  if (sent.externalId === null) return false
  const own = await findIdentityOf(ctx.db, source.id, accountId)
  if (own?.subject === sent.externalId) return false
  const other = await findIdentity(ctx.db, source.id, sent.externalId)
  if (other !== undefined) throw taken('externalId is the subject of another account')
  if (own !== undefined) {
    await renameSubject(ctx.db, own, sent.externalId)
    return false
  }
  const email = emailOf(sent.attributes) ?? ''
  const row = { source_id: source.id, subject: sent.externalId, account_id: accountId, login: sent.userName }
  const inserted = await insertIdentity(ctx.db, { ...row, email }, ctx.now())
  if (inserted === undefined) throw taken('externalId is the subject of another account')
  return true
}

export async function getAccount(ctx: TxContext, id: number): Promise<Account> {
  const account = await findAccountById(ctx.db, id)
  if (account === undefined) throw badRequest('noTarget', 'account was deleted concurrently')
  return account
}
