/**
 * Access tokens of OAuth2 applications: rows like every other access token, with an end and a family. Requests with them
 * are authenticated by `findBearer`; the oauth2 slice issues them and ends them with their family.
 */

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context, TxContext } from '#platform/context'
import { type Db, deleteInParts, type Tx } from '#platform/db'
import { digestOf } from '../bearer.ts'
import type { AccessTokenRow } from '../tables.ts'

const PREFIX = 'goa_'
const TOKEN = /^goa_[0-9a-f]{64}$/
const TOKEN_BYTES = 32
const LAST_SHOWN = 8
/** A client that renews its token early keeps using the older ones for a while. */
const HELD_MAX = 20

export type FamilyToken = AccessTokenRow & { readonly family_id: number; readonly expires_at: Date }

interface NewFamilyToken {
  readonly accountId: number
  readonly familyId: number
  /** Of the application. */
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date
}

export function isFamilyToken(token: string): boolean {
  return TOKEN.test(token)
}

/** Returns the token, which is never stored. The oldest tokens of the family end when there are too many. */
export async function issueFamilyToken(ctx: TxContext, wish: NewFamilyToken): Promise<string> {
  const token = `${PREFIX}${randomBytes(TOKEN_BYTES).toString('hex')}`
  const digest = digestOf(token)
  await ctx.db
    .insertInto('access_token')
    .values({
      account_id: wish.accountId,
      // An account has one token of each name.
      name: `${wish.name} ${digest.toString('hex', 0, 8)}`,
      digest,
      last_eight: token.slice(-LAST_SHOWN),
      scopes: [...wish.scopes],
      created_at: ctx.now(),
      last_used_at: null,
      expires_at: wish.expiresAt,
      family_id: wish.familyId,
    })
    .execute()
  await ctx.db
    .deleteFrom('access_token')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('access_token as older')
        .select('older.id')
        .where('older.family_id', '=', wish.familyId)
        .orderBy('older.id', 'desc')
        .offset(HELD_MAX),
    )
    .execute()
  return token
}

export async function findFamilyToken(ctx: Context, token: string): Promise<FamilyToken | undefined> {
  if (!isFamilyToken(token)) return undefined
  const row = await selectFamilyTokens(ctx.db)
    .where('digest', '=', digestOf(token))
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  return row as FamilyToken | undefined
}

export async function findFamilyTokenById(db: Db, id: number): Promise<FamilyToken | undefined> {
  const row = await selectFamilyTokens(db).where('id', '=', id).executeTakeFirst()
  return row as FamilyToken | undefined
}

export async function revokeFamilyToken(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('access_token').where('id', '=', id).where('family_id', 'is not', null).execute()
}

export async function sweepTokens(ctx: Context): Promise<void> {
  await deleteInParts(ctx.db, 'access_token', sql<boolean>`expires_at < ${ctx.now()}`)
}

function selectFamilyTokens(db: Db) {
  return db.selectFrom('access_token').selectAll().where('family_id', 'is not', null)
}
