/**
 * Browser sessions are rows. Each request loads its session and account in one query: a session that is ended on one
 * node is not valid for the next request on any node.
 */

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { digestOf } from '#domains/code/keys'
import {
  type Account,
  refusalOf,
  rememberNetwork,
  selectAccounts,
  setPassword,
  updateAccount,
} from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import { type Db, deleteInParts } from '#platform/db'
import { Statement } from '#platform/db/statement'
import { forbidden, notFound } from '#platform/problem'
import { sweepLetterCounts } from '../letters/bounds.ts'
import type { Factor, SessionRow } from '../tables.ts'

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/
const TOKEN_BYTES = 32
/** The last use is shown to users with a precision of five minutes, to avoid a write on every request. */
const SEEN_GRAIN_MS = 5 * 60_000
const AGENT_MAX = 300
const SESSIONS_SHOWN_MAX = 100

export interface WebSession {
  readonly id: number
  readonly account: Account
  readonly elevatedUntil: Date | null
}

export interface Origin {
  readonly address: string
  readonly agent: string
}

/** The token is always new, to prevent session fixation. It is returned only here. */
export async function startSession(
  ctx: Context,
  account: Account,
  factors: readonly Factor[],
  from: Origin,
): Promise<string> {
  if (account.kind !== 'user') throw forbidden('this account cannot sign in with a browser')
  const token = newToken()
  const now = ctx.now()
  const expiresAt = later(now, ctx.config['session.absolute_s'])
  await transact(ctx, async (ctx) => {
    const password = await passwordOf(ctx.db, account.id)
    const row = {
      digest: digestOf(token),
      account_id: account.id,
      factors: [...factors],
      password_changed_at: password?.changed_at ?? null,
      agent: from.agent.slice(0, AGENT_MAX),
      address: from.address,
      created_at: now,
      seen_at: now,
      idle_until: later(now, Math.min(ctx.config['session.idle_s'], ctx.config['session.absolute_s'])),
      expires_at: expiresAt,
      elevated_until: later(now, ctx.config['session.elevated_s']),
    }
    await ctx.db.insertInto('web_session').values(row).execute()
    await updateAccount(ctx.db, account.id, { last_login_at: now })
    await rememberNetwork(ctx, account.id, from.address)
  })
  return token
}

/** Undefined if the session has ended, the password has changed since, or the account may not act. */
export async function findSession(ctx: Context, token: string): Promise<WebSession | undefined> {
  const row = await selectSession(ctx, token)
  if (row === undefined) return undefined
  const now = ctx.now()
  if (now.getTime() - row.seen_at.getTime() > SEEN_GRAIN_MS) await noteSeen(ctx, row, now)
  return row.session
}

/** Loads the session again without updating its last use, so that it can be called in a transaction. */
export async function renewSession(ctx: Context, token: string): Promise<WebSession | undefined> {
  return (await selectSession(ctx, token))?.session
}

export function listSessions(db: Db, accountId: number, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('web_session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('idle_until', '>', now)
    .orderBy('seen_at', 'desc')
    .limit(SESSIONS_SHOWN_MAX)
    .execute()
}

export async function endSession(ctx: Context, accountId: number, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const gone = await ctx.db
      .deleteFrom('web_session')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw notFound('session', id)
  })
}

/** Ends all sessions of an account, except one if given. */
export async function endSessions(ctx: Context, accountId: number, exceptId: number | null): Promise<void> {
  await transact(ctx, (ctx) =>
    ctx.db
      .deleteFrom('web_session')
      .where('account_id', '=', accountId)
      .where('id', '<>', exceptId ?? 0)
      .execute(),
  )
}

/** Called after the password was confirmed. Invariant: an elevated session has a new token. */
export async function elevateSession(ctx: Context, id: number): Promise<string | undefined> {
  const token = newToken()
  const until = later(ctx.now(), ctx.config['session.elevated_s'])
  const raised = await transact(ctx, (ctx) =>
    ctx.db
      .updateTable('web_session')
      .set({ digest: digestOf(token), elevated_until: until })
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  return raised.numUpdatedRows === 1n ? token : undefined
}

/** The user changes the password: this session continues, the others end. */
export async function changePassword(
  ctx: Context,
  account: Account,
  sessionId: number,
  password: string,
): Promise<void> {
  await setPassword(ctx, account, password, async (ctx) => {
    const stored = await passwordOf(ctx.db, account.id)
    await endSessions(ctx, account.id, sessionId)
    await ctx.db
      .updateTable('web_session')
      .set({ password_changed_at: stored?.changed_at ?? null })
      .where('id', '=', sessionId)
      .execute()
  })
}

export async function sweepSessions(ctx: Context): Promise<void> {
  const now = ctx.now()
  // Invariant: no session is idle for longer than it lasts.
  await deleteInParts(ctx.db, 'web_session', sql<boolean>`idle_until < ${now}`)
  // Steps of accounts that were never activated are kept for `delete_inactive_accounts`.
  await ctx.db
    .deleteFrom('sign_in_step')
    .where('expires_at', '<', now)
    .where('kind', '<>', 'activate')
    .execute()
  await sweepLetterCounts(ctx)
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

export function isToken(text: string): boolean {
  return TOKEN.test(text)
}

export function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

async function selectSession(ctx: Context, token: string) {
  if (!isToken(token)) return undefined
  const row = await SESSION.first(ctx.db, { digest: digestOf(token), now: ctx.now() })
  if (row === undefined) return undefined
  const { session_id, seen_at, expires_at, elevated_until, ...account } = row
  if (refusalOf(account) !== null) return undefined
  return { session: { id: session_id, account, elevatedUntil: elevated_until }, seen_at, expires_at }
}

/** Executed for every browser request. */
export const SESSION = new Statement((db: Db, { digest, now }: { digest: Buffer; now: Date }) =>
  selectAccounts(db)
    .innerJoin('web_session', 'web_session.account_id', 'account.id')
    .leftJoin('account_password', 'account_password.account_id', 'account.id')
    .select([
      'web_session.id as session_id',
      'web_session.seen_at',
      'web_session.expires_at',
      'web_session.elevated_until',
    ])
    .where('web_session.digest', '=', digest)
    .where('web_session.idle_until', '>', now)
    .where('web_session.password_changed_at', 'is not distinct from', (eb) =>
      eb.ref('account_password.changed_at'),
    ),
)

async function noteSeen(
  ctx: Context,
  { session, expires_at }: { session: WebSession; expires_at: Date },
  now: Date,
): Promise<void> {
  const idle = later(now, ctx.config['session.idle_s'])
  await ctx.db
    .updateTable('web_session')
    .set({ seen_at: now, idle_until: idle < expires_at ? idle : expires_at })
    .where('id', '=', session.id)
    .execute()
}

function passwordOf(db: Db, accountId: number) {
  return db
    .selectFrom('account_password')
    .select('changed_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}
