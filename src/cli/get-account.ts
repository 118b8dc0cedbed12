import { type Account, findAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import { OperatorError } from '#platform/operator-error'

/** A user or an organization that an operator names. */
export async function getAccount(ctx: Context, login: string): Promise<Account> {
  const account = await findAccount(ctx.db, login)
  if (account === undefined) throw new OperatorError(`user ${login} does not exist`)
  return account
}
