/** A new password for whoever forgot theirs, by a link to their primary address. A second factor is still asked for. */
import { type Account, findAccountById, findByNameOrEmail, setPassword } from '#domains/users'
import { type Context, transact } from '#platform/context'
import { invalid } from '#platform/problem'
import { orderLetter } from '../letters/letters.ts'
import { endStep, findStep, hasFreshStep, startStep } from '../steps/steps.ts'
import { endSessions } from '../web/sessions.ts'

const LINK_S = 3_600
/** Nobody's mailbox is filled by asking again and again. */
const PAUSE_S = 120

/** Whether there is such an account is told to nobody but its owner. */
export async function askToRecover(ctx: Context, name: string): Promise<void> {
  const account = await findByNameOrEmail(ctx, name)
  if (account === undefined || account.prohibits_login || !account.is_active) return
  await transact(ctx, async (ctx) => {
    if (await hasFreshStep(ctx, account.id, 'recover', PAUSE_S)) return
    const token = await startStep(ctx, { kind: 'recover', accountId: account.id, seconds: LINK_S })
    const link = `${ctx.site.url}/user/recover_account?code=${token}`
    await orderLetter(ctx, { kind: 'recover', email: account.email, name: account.login, link })
  })
}

/** Whose password it is; undefined when the link is old or was used. */
export async function findRecovering(ctx: Context, token: string): Promise<Account | undefined> {
  const step = await findStep(ctx, token, 'recover')
  return step?.account_id ? findAccountById(ctx.db, step.account_id) : undefined
}

/** Every session ends, for whoever had the password may have had one. */
export async function recover(ctx: Context, token: string, password: string): Promise<void> {
  const step = await findStep(ctx, token, 'recover')
  const account = step?.account_id ? await findAccountById(ctx.db, step.account_id) : undefined
  if (step === undefined || account === undefined || account.prohibits_login)
    throw invalid('this link has expired or was used already')
  await setPassword(ctx, account, password)
  if (!(await endStep(ctx, step))) throw invalid('this link has expired or was used already')
  await endSessions(ctx, account.id, null)
}
