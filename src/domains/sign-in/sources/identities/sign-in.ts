/**
 * From a proven identity to a session. An identity without an account gets a new one, or waits as a step until its owner
 * has chosen a name or signed in to the account that it shall be linked to. Nothing is found by name or e-mail address.
 */
import {
  type Account,
  confineAccounts,
  createExternalUser,
  findAccountById,
  findTotp,
  takesOwnCredentials,
} from '#domains/people/users'
import { type Entered, enter, type Origin } from '#domains/sign-in/sessions'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { restore } from '../ldap/check-people.ts'
import { followGroups } from '../mappings/follow-groups.ts'
import { type Profile, usernameFrom } from '../profile.ts'
import { getSource, shareSource } from '../records/store.ts'
import { isOf, type SourceRow } from '../tables.ts'
import { dropStep, findStep, startStep } from './steps.ts'
import { FOUND, findIdentity, insertIdentity } from './store.ts'

export type SignedInBySource = Entered | { readonly next: 'link'; readonly step: string }

export async function signInBySource(
  ctx: Context,
  source: SourceRow,
  profile: Profile,
  from: Origin,
): Promise<SignedInBySource> {
  const known = await findIdentity(ctx.db, source.id, profile.subject)
  if (known !== undefined) {
    // Another site may have led this browser here: it must not change who is signed in.
    if (ctx.actor !== null && ctx.actor.id !== known.account_id)
      throw forbidden('this identity is linked to another account: sign out first')
    return enterAs(ctx, await admit(ctx, source, profile), from)
  }
  const username = usernameFrom(profile.login)
  if (ctx.actor === null && source.may_register && username !== '') {
    const account = await register(ctx, source, profile, username).catch(unlessTaken)
    if (account !== undefined) return enterAs(ctx, account, from)
    // Two first sign-ins at once: the other one has created the account.
    if ((await findIdentity(ctx.db, source.id, profile.subject)) !== undefined)
      return enterAs(ctx, await admit(ctx, source, profile), from)
  }
  return { next: 'link', step: await startStep(ctx, source, 'identity', profile) }
}

/** The identity of a step that waits for its account. */
export async function getPending(
  ctx: Context,
  token: string,
): Promise<{ readonly source: SourceRow; readonly profile: Profile }> {
  const step = await findStep(ctx, 'identity', token)
  if (step === undefined) throw expired()
  return { source: await getSource(ctx.db, step.sourceId), profile: step.facts as Profile }
}

/** A new account with the name that the person chose. */
export async function registerPending(
  ctx: Context,
  token: string,
  username: string,
  from: Origin,
): Promise<Entered> {
  const { source, profile } = await getPending(ctx, token)
  // The address may belong to the account whose owner did not want to link it.
  const asked = { ...profile, email: null }
  const account =
    (await register(ctx, source, profile, username).catch(unlessTaken)) ??
    (await register(ctx, source, asked, username))
  await dropStep(ctx, source, 'identity', token)
  return enterAs(ctx, account, from)
}

/** To the caller's own account, to which they have signed in by its own means. */
export async function linkPending(ctx: Context, { account }: SignedIn, token: string): Promise<void> {
  const { source, profile } = await getPending(ctx, token)
  if (account.kind !== 'user') throw forbidden('only users can have identities')
  await transact(ctx, async (ctx) => {
    const current = await shareEnabled(ctx, source)
    if ((await dropStep(ctx, source, 'identity', token)) === undefined) throw expired()
    const now = await getAccount(ctx, account.id)
    if (now.only_source_id !== null && now.only_source_id !== source.id)
      throw forbidden('this account signs in with its identity provider only')
    await link(ctx, current, profile, now)
    if (current.is_only_way)
      await confineAccounts(ctx.db, [account.id], { sourceId: source.id, isConfined: true })
  })
}

/** Everything that a source decides at a sign-in, in one transaction; refusals of the forge come first. */
export function admit(ctx: Context, source: SourceRow, profile: Profile): Promise<Account> {
  return transact(ctx, async (ctx) => {
    const current = await shareEnabled(ctx, source)
    const identity = await findIdentity(ctx.db, source.id, profile.subject)
    if (identity === undefined) throw invalid('this identity was unlinked concurrently, please try again')
    await restore(ctx, identity)
    const account = await getAccount(ctx, identity.account_id)
    ctx.audit?.identify(account)
    assertAdmitted(account, current)
    await ctx.db
      .updateTable('external_identity')
      .set({
        login: profile.login,
        email: profile.email ?? '',
        last_used_at: ctx.now(),
        checked_at: ctx.now(),
        ...FOUND,
      })
      .where('id', '=', identity.id)
      .execute()
    await followGroups(ctx, identity, account, profile.groups)
    return getAccount(ctx, account.id)
  })
}

async function register(
  ctx: Context,
  source: SourceRow,
  profile: Profile,
  username: string,
): Promise<Account> {
  return transact(ctx, async (ctx) => {
    const current = await shareEnabled(ctx, source)
    if (!current.may_register) throw forbidden('this authentication source creates no accounts')
    const account = await createExternalUser(ctx, {
      username,
      full_name: profile.fullName,
      email: profile.email,
      source_id: source.id,
      login_name: profile.login,
      only_source_id: current.is_only_way ? source.id : null,
    })
    if (account === 'taken') throw new Taken()
    ctx.audit?.identify(account)
    await link(ctx, current, profile, account)
    return getAccount(ctx, account.id)
  })
}

function expired(): Problem {
  return invalid('this sign-in has expired, please start again')
}

/** The name or the address belongs to another account. */
class Taken extends Problem {
  constructor() {
    super('invalid', 'name already exists')
  }
}

function unlessTaken(error: unknown): undefined {
  // A name that is reserved or not valid here is chosen by the person.
  if (error instanceof Problem && error.kind === 'invalid') return undefined
  throw error
}

async function link(ctx: TxContext, source: SourceRow, profile: Profile, account: Account): Promise<void> {
  const { subject, login, email, groups } = profile
  const row = { source_id: source.id, subject, account_id: account.id, login, email: email ?? '' }
  const identity = await insertIdentity(ctx.db, row, ctx.now())
  if (identity === undefined) throw invalid('this identity, or another one of its source, is linked already')
  await followGroups(ctx, identity, account, groups)
  if (isOf(source, 'oidc')) await emit(ctx, 'identity.linked', { issuer: source.settings.issuer, subject })
}

/** Sessions need a second factor that the account has, also if a provider vouches for its user. */
async function enterAs(ctx: Context, account: Account, from: Origin): Promise<Entered> {
  const needsCode = (await findTotp(ctx.db, account.id)) !== undefined
  return enter(ctx, { account, factors: ['source'], keeps: true, needsCode }, from)
}

async function shareEnabled(ctx: TxContext, { id }: SourceRow): Promise<SourceRow> {
  const source = await shareSource(ctx.db, id)
  if (!source.is_enabled) throw forbidden('this authentication source is disabled')
  return source
}

/** What the forge has decided about an account holds whatever a source says. */
function assertAdmitted(account: Account, source: SourceRow): void {
  const isElsewhere = !takesOwnCredentials(account) && account.only_source_id !== source.id
  if (isElsewhere) throw forbidden('this account signs in with another identity provider only')
  if (account.kind !== 'user' || !account.is_active || account.prohibits_login || account.is_suspended)
    throw forbidden('this account is prohibited from signing in, please contact your site administrator')
}

async function getAccount(ctx: TxContext, id: number): Promise<Account> {
  const account = await findAccountById(ctx.db, id)
  if (account === undefined) throw invalid('account was deleted concurrently')
  return account
}
