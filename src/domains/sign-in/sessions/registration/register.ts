/** Registration in the browser: by invitation, or openly with a verified address. */
import { isMailOn } from '#domains/instance/mail'
import {
  type Account,
  createUser,
  findAccountById,
  findEmails,
  forgetInactive,
  updateAccount,
} from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { forbidden, invalid } from '#platform/problem'
import { acceptInvitation, type OpenInvitation } from '../invitations/invitations.ts'
import { orderLetter } from '../letters/letters.ts'
import { endStep, findStep, hasFreshStep, startStep } from '../steps/steps.ts'
import { later } from '../web/sessions.ts'

const LINK_S = 86_400
const PAUSE_S = 120
const FORGOTTEN_S = 7 * 86_400
const FORGOTTEN_MAX = 1_000

export interface Registration {
  readonly username: string
  /** With an invitation, the invited address. */
  readonly email: string
  readonly password: string
  readonly invitation: OpenInvitation | undefined
}

/** Why registration is refused; null if it is allowed. */
export function registrationRefusal(
  { config }: Pick<Context, 'config'>,
  isInvited: boolean,
): 'closed' | 'invite' | 'mail' | null {
  const mode = config['registration.mode']
  if (mode === 'closed') return 'closed'
  if (isInvited) return null
  if (mode === 'invite') return 'invite'
  // Without mail an address cannot be verified.
  return isMailOn(config) ? null : 'mail'
}

export async function register(ctx: Context, { invitation, ...input }: Registration): Promise<Account> {
  if (registrationRefusal(ctx, invitation !== undefined) !== null) throw forbidden('registration is closed')
  const user = {
    username: input.username,
    email: invitation?.email ?? input.email,
    password: input.password,
    must_change_password: false,
    isActive: invitation !== undefined,
    hidesTakenEmail: invitation === undefined,
  }
  return createUser(ctx, user, async (ctx, account) => {
    if (invitation === undefined) await orderActivation(ctx, account)
    else await acceptInvitation(ctx, invitation, account)
  })
}

/** Sends another link, only to accounts that never signed in: others may have been deactivated by an administrator. */
export async function askToActivate(ctx: Context, account: Account): Promise<void> {
  if (account.is_active || account.last_login_at !== null || ctx.config['registration.mode'] !== 'open')
    throw forbidden('this account is prohibited from signing in, please contact your site administrator')
  await transact(ctx, (ctx) => orderActivation(ctx, account))
}

/**
 * If the address belongs to another account, the mail says so and contains no link: the new account cannot be
 * activated, and its name is free again in a week. The answer to the registration is the same.
 */
async function orderActivation(ctx: TxContext, account: Account): Promise<void> {
  if (await hasFreshStep(ctx, account.id, 'activate', PAUSE_S)) return
  const token = await startStep(ctx, { kind: 'activate', accountId: account.id, seconds: LINK_S })
  const [own] = await findEmails(ctx.db, account.id)
  const letter =
    own === undefined
      ? { kind: 'taken' as const, link: `${ctx.site.url}/user/login` }
      : { kind: 'activate' as const, link: `${ctx.site.url}/user/activate?code=${token}` }
  await orderLetter(ctx, { ...letter, email: account.email, name: account.login })
}

export async function activate(ctx: Context, token: string): Promise<Account> {
  const step = await findStep(ctx, token, 'activate')
  const account = step?.account_id ? await findAccountById(ctx.db, step.account_id) : undefined
  if (step === undefined || account === undefined) throw invalid('this link has expired or was used already')
  await transact(ctx, async (ctx) => {
    if (!(await endStep(ctx, step))) throw invalid('this link has expired or was used already')
    await updateAccount(ctx.db, account.id, { is_active: true, updated_at: ctx.now() })
  })
  return account
}

/** Names that were registered but never activated are released a while after the last link has expired. */
export async function deleteInactiveAccounts(ctx: Context): Promise<void> {
  const steps = await selectForgotten(ctx.db, later(ctx.now(), -FORGOTTEN_S)).execute()
  for (const { id, account_id } of steps)
    await transact(ctx, async (ctx) => {
      if ((await endStep(ctx, { id })) && account_id !== null) await forgetInactive(ctx, account_id)
    })
}

function selectForgotten(db: Db, before: Date) {
  return db
    .selectFrom('sign_in_step')
    .select(['id', 'account_id'])
    .where('kind', '=', 'activate')
    .where('expires_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sign_in_step as newer')
            .select('newer.id')
            .whereRef('newer.account_id', '=', 'sign_in_step.account_id')
            .where('newer.kind', '=', 'activate')
            .where('newer.expires_at', '>=', before),
        ),
      ),
    )
    .orderBy('expires_at')
    .limit(FORGOTTEN_MAX)
}
