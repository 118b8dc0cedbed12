/** Introspection (RFC 7662) and revocation (RFC 7009) of tokens, by the application that they were issued to. */
import { type FamilyToken, findFamilyToken, revokeFamilyToken } from '#domains/code/keys'
import { findAccountById, refusalOf } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import type { ApplicationRow } from '../tables.ts'
import { endFamily, findApplicationOf, findRefreshToken } from './families.ts'

const INACTIVE = { active: false } as const

/** A token of another application is not active, and nothing else about it is told. */
export async function introspect(ctx: Context, client: ApplicationRow, text: string): Promise<object> {
  const found = await findOwn(ctx, client, text)
  const account = found && (await findAccountById(ctx.db, found.accountId))
  if (found === undefined || account === undefined || refusalOf(account) !== null) return INACTIVE
  return {
    active: true,
    scope: found.scopes.join(' '),
    client_id: client.client_id,
    username: account.login,
    sub: String(account.id),
    aud: client.client_id,
    iss: ctx.site.url,
    token_type: 'bearer',
    iat: seconds(found.createdAt),
    exp: seconds(found.expiresAt),
  }
}

/** A refresh token ends with its family, an access token alone. A token of another application stays as it is. */
export async function revoke(ctx: Context, client: ApplicationRow, text: string): Promise<void> {
  const found = await findOwn(ctx, client, text)
  if (found === undefined) return
  await transact(ctx, ({ db }) =>
    found.tokenId === null ? endFamily(db, found.familyId) : revokeFamilyToken(db, found.tokenId),
  )
}

interface Found {
  /** Null for a refresh token. */
  readonly tokenId: number | null
  readonly familyId: number
  readonly accountId: number
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

async function findOwn(ctx: Context, client: ApplicationRow, text: string): Promise<Found | undefined> {
  const access = await findFamilyToken(ctx, text)
  if (access !== undefined) return ofAccessToken(ctx, client, access)
  const token = await findRefreshToken(ctx, text)
  if (token === undefined || token.application_id !== client.id || token.used_at !== null) return undefined
  return {
    tokenId: null,
    familyId: token.family_id,
    accountId: token.account_id,
    scopes: token.scopes,
    createdAt: token.created_at,
    expiresAt: token.expires_at,
  }
}

async function ofAccessToken(
  ctx: Context,
  client: ApplicationRow,
  token: FamilyToken,
): Promise<Found | undefined> {
  if ((await findApplicationOf(ctx.db, token.family_id)) !== client.id) return undefined
  return {
    tokenId: token.id,
    familyId: token.family_id,
    accountId: token.account_id,
    scopes: token.scopes,
    createdAt: token.created_at,
    expiresAt: token.expires_at,
  }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
