/** Password reset by a link to the primary address. A second factor is still required. */
import { digestOf } from '#domains/code/keys'
import { isMailOn } from '#domains/instance/mail'
import {
  type Account,
  findAccountById,
  findByNameOrEmail,
  keyOf,
  setPassword,
  takesOwnCredentials,
} from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid } from '#platform/problem'
import { addJobs, type JobKind } from '#platform/queue'
import { orderLetter } from '../letters/letters.ts'
import { endStep, findStep, hasFreshStep, startStep } from '../steps/steps.ts'
import { endSessions } from '../web/sessions.ts'

const JOB = 'recover_account'
const ATTEMPTS_MAX = 5
const LINK_S = 3_600
/** Pause between two links, to protect mailboxes. */
const PAUSE_S = 120

/** A job looks the account up, so neither the answer nor its timing reveals whether the account exists. */
export async function askToRecover(ctx: Context, name: string): Promise<void> {
  if (!isMailOn(ctx.config)) return
  const key = `${JOB}:${digestOf(keyOf(name)).toString('hex')}`
  await transact(ctx, (ctx) =>
    addJobs(ctx, [{ kind: JOB, payload: { name }, key, attemptsMax: ATTEMPTS_MAX }]),
  )
}

export const recoveryJobs: readonly JobKind[] = [
  { name: JOB, run: (ctx, payload) => sendLink(ctx, (payload as { name: string }).name) },
]

async function sendLink(ctx: Context, name: string): Promise<void> {
  const found = await findByNameOrEmail(ctx, name)
  if (found === undefined) return
  await transact(ctx, async (ctx) => {
    const account = await lockAccount(ctx, found.id)
    if (account === undefined || account.prohibits_login || !account.is_active) return
    if (!takesOwnCredentials(account)) return
    if (await hasFreshStep(ctx, account.id, 'recover', PAUSE_S)) return
    const token = await startStep(ctx, { kind: 'recover', accountId: account.id, seconds: LINK_S })
    const link = `${ctx.site.url}/user/recover_account?code=${token}`
    await orderLetter(ctx, { kind: 'recover', email: account.email, name: account.login, link })
  })
}

/** Locks the address until COMMIT, so that no link goes to an address that is being replaced. */
async function lockAccount(ctx: TxContext, id: number): Promise<Account | undefined> {
  await ctx.db.selectFrom('account').select('id').where('id', '=', id).forShare().execute()
  return findAccountById(ctx.db, id)
}

/** The account of the link; undefined if the link has expired or was used. */
export async function findRecovering(ctx: Context, token: string): Promise<Account | undefined> {
  const step = await findStep(ctx, token, 'recover')
  return step?.account_id ? findAccountById(ctx.db, step.account_id) : undefined
}

/** Ends all sessions, because an attacker with the old password may have one, and all other links. */
export async function recover(ctx: Context, token: string, password: string): Promise<void> {
  const step = await findStep(ctx, token, 'recover')
  const account = step?.account_id ? await findAccountById(ctx.db, step.account_id) : undefined
  if (step === undefined || account === undefined || account.prohibits_login) throw expiredLink()
  if (!takesOwnCredentials(account)) throw expiredLink()
  await setPassword(ctx, account, password, async (ctx) => {
    if (!(await endStep(ctx, step))) throw expiredLink()
    await endSessions(ctx, account.id, null)
  })
}

function expiredLink() {
  return invalid('this link has expired or was used already')
}
