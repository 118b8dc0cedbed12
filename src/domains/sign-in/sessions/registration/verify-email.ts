/**
 * Additional email addresses of an account. An address counts once its account has followed the link sent to it while
 * signed in: access to the mailbox alone is not enough, so a user cannot verify an address for an account that
 * someone else added it to.
 */
import { isMailOn } from '#domains/instance/mail'
import { findAccountById, findEmails, verifyEmails } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { must } from '#platform/must'
import { invalid } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { orderLetter, tooManyLetters } from '../letters/letters.ts'
import { endStep, findStep, startStep } from '../steps/steps.ts'

const LINK_S = 86_400

/** Compat: without mail an address counts at once, because it could never be verified. */
export async function askToVerify(
  ctx: TxContext,
  { account_id, email_ids }: { readonly account_id: number; readonly email_ids: readonly number[] },
): Promise<void> {
  if (!isMailOn(ctx.config)) return verifyEmails(ctx.db, account_id, email_ids)
  const account = must(await findAccountById(ctx.db, account_id), 'an account')
  for (const { id, email } of await findEmails(ctx.db, account_id)) {
    if (!email_ids.includes(id)) continue
    const step = { kind: 'verify_email', accountId: account_id, emailId: id, seconds: LINK_S } as const
    const link = `${ctx.site.url}/user/activate_email?code=${await startStep(ctx, step)}`
    const letter = { kind: 'verify', email, name: account.login, link, senderId: account_id } as const
    if (!(await orderLetter(ctx, letter))) throw tooManyLetters()
  }
}

/**
 * The address that a link verifies for this account; undefined if the link has expired, was used or belongs to
 * another account.
 */
export async function findVerifying(
  ctx: Context,
  { id }: SignedIn,
  token: string,
): Promise<string | undefined> {
  const step = await findStep(ctx, token, 'verify_email')
  if (step?.account_id !== id) return undefined
  return (await findEmails(ctx.db, id)).find((it) => it.id === step.email_id)?.email
}

export async function verifyEmail(ctx: Context, { id }: SignedIn, token: string): Promise<void> {
  const step = await findStep(ctx, token, 'verify_email')
  await transact(ctx, async (ctx) => {
    if (step?.account_id !== id || step.email_id === null || !(await endStep(ctx, step)))
      throw invalid('this link has expired or was used already')
    await verifyEmails(ctx.db, id, [step.email_id])
  })
}
