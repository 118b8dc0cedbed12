/**
 * Families of tokens: the refresh tokens of one authorization, each replaced by the next, and their access tokens. Deleting
 * the row of a family ends all of them, on every node at once.
 */
import { randomBytes } from 'node:crypto'
import { digestOf, issueFamilyToken } from '#domains/code/keys'
import type { Context, TxContext } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import type { ApplicationRow } from '../tables.ts'

const TOKEN = /^gor_[0-9a-f]{64}$/
const TOKEN_BYTES = 32
/** Machines on which one person uses one application; the oldest is signed out. */
const FAMILIES_MAX = 50
/** Used refresh tokens that are recognized when somebody uses them again. */
const USED_MAX = 500

export interface Issued {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInS: number
  readonly scopes: readonly string[]
  readonly accountId: number
}

export interface TokenWish {
  readonly client: ApplicationRow
  readonly accountId: number
  readonly scopes: readonly string[]
}

export async function startFamily(
  ctx: TxContext,
  grantId: number,
  scopes: readonly string[],
): Promise<number> {
  const now = ctx.now()
  const { id } = await ctx.db
    .insertInto('oauth2_token_family')
    .values({ grant_id: grantId, scopes: [...scopes], created_at: now, expires_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db
    .deleteFrom('oauth2_token_family')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth2_token_family as older')
        .select('older.id')
        .where('older.grant_id', '=', grantId)
        .orderBy('older.id', 'desc')
        .offset(FAMILIES_MAX),
    )
    .execute()
  return id
}

/** One access token and one refresh token, which are never stored. */
export async function issueTokens(ctx: TxContext, familyId: number, wish: TokenWish): Promise<Issued> {
  const { client, accountId, scopes } = wish
  const expiresInS = ctx.config['oauth2.access_token_s']
  const accessToken = await issueFamilyToken(ctx, {
    accountId,
    familyId,
    name: client.name,
    scopes,
    expiresAt: later(ctx, expiresInS),
  })
  const refreshToken = await issueRefreshToken(ctx, familyId)
  return { accessToken, refreshToken, expiresInS, scopes, accountId }
}

export async function endFamily(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('oauth2_token_family').where('id', '=', id).execute()
}

/** With the family, grant and application that it belongs to. */
export async function findRefreshToken(ctx: Context, token: string) {
  return TOKEN.test(token) ? selectRefreshToken(ctx, token).executeTakeFirst() : undefined
}

/** Of two concurrent uses the second waits here, and finds the token used. */
export async function lockRefreshToken(ctx: TxContext, token: string) {
  if (!TOKEN.test(token)) return undefined
  return selectRefreshToken(ctx, token).forUpdate('oauth2_refresh_token').executeTakeFirst()
}

function selectRefreshToken(ctx: Context, token: string) {
  return ctx.db
    .selectFrom('oauth2_refresh_token')
    .innerJoin('oauth2_token_family', 'oauth2_token_family.id', 'oauth2_refresh_token.family_id')
    .innerJoin('oauth2_grant', 'oauth2_grant.id', 'oauth2_token_family.grant_id')
    .selectAll('oauth2_refresh_token')
    .select([
      'oauth2_token_family.scopes',
      'oauth2_token_family.grant_id',
      'oauth2_grant.application_id',
      'oauth2_grant.account_id',
    ])
    .where('oauth2_refresh_token.digest', '=', digestOf(token))
    .where('oauth2_refresh_token.expires_at', '>', ctx.now())
}

/** The id of the application that a family belongs to. */
export async function findApplicationOf(db: Db, familyId: number): Promise<number | undefined> {
  const found = await db
    .selectFrom('oauth2_token_family')
    .innerJoin('oauth2_grant', 'oauth2_grant.id', 'oauth2_token_family.grant_id')
    .select('oauth2_grant.application_id')
    .where('oauth2_token_family.id', '=', familyId)
    .executeTakeFirst()
  return found?.application_id
}

/** Refresh tokens that have ended, and families without another; access tokens are swept by the keys slice. */
export async function sweepFamilies(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.db.deleteFrom('oauth2_token_family').where('expires_at', '<', now).execute()
  await ctx.db.deleteFrom('oauth2_refresh_token').where('expires_at', '<', now).execute()
}

async function issueRefreshToken(ctx: TxContext, familyId: number): Promise<string> {
  const token = `gor_${randomBytes(TOKEN_BYTES).toString('hex')}`
  const expiresAt = later(ctx, ctx.config['oauth2.refresh_token_s'])
  await ctx.db
    .insertInto('oauth2_refresh_token')
    .values({
      digest: digestOf(token),
      family_id: familyId,
      created_at: ctx.now(),
      expires_at: expiresAt,
      used_at: null,
    })
    .execute()
  await ctx.db
    .deleteFrom('oauth2_refresh_token')
    .where('digest', 'in', (eb) =>
      eb
        .selectFrom('oauth2_refresh_token as older')
        .select('older.digest')
        .where('older.family_id', '=', familyId)
        .where('older.used_at', 'is not', null)
        .orderBy('older.created_at', 'desc')
        .offset(USED_MAX),
    )
    .execute()
  await ctx.db
    .updateTable('oauth2_token_family')
    .set({ expires_at: expiresAt })
    .where('id', '=', familyId)
    .execute()
  return token
}

function later(ctx: Context, seconds: number): Date {
  return new Date(ctx.now().getTime() + seconds * 1000)
}
