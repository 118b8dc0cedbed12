/** Exchanges an authorization code or a refresh token for tokens. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { findAccountById, refusalOf } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { isSameRedirect } from '../applications/clients.ts'
import { type CodeToExchange, lockCode, markUsed, nameFamily } from '../authorization/codes.ts'
import { Refusal } from '../refusal.ts'
import { covers, parseScopes } from '../scopes.ts'
import type { ApplicationRow } from '../tables.ts'
import { endFamily, type Issued, issueTokens, lockRefreshToken, startFamily } from './families.ts'
import { type Form, requiredField } from './form.ts'

const VERIFIER = /^[\w.~-]{43,128}$/

export interface Exchanged extends Issued {
  /** Of the authorization request, for the ID token. */
  readonly nonce: string | null
}

/** A refusal that is returned, so that the transaction keeps what was done before it. */
type Outcome = Exchanged | Refusal

/** The first exchange uses the code up, also when it is refused; another one ends the tokens of the first. */
export async function exchangeCode(ctx: Context, client: ApplicationRow, form: Form): Promise<Exchanged> {
  const text = requiredField(form, 'code')
  const outcome = await transact(ctx, async (ctx): Promise<Outcome> => {
    const code = await lockCode(ctx.db, text)
    if (code === undefined || code.application_id !== client.id) return unknownCode()
    if (code.used_at !== null) {
      if (code.family_id !== null) await endFamily(ctx.db, code.family_id)
      return unknownCode()
    }
    await markUsed(ctx, code.digest)
    const refusal = await codeRefusal(ctx, code, client, form)
    if (refusal !== undefined) return refusal
    const familyId = await startFamily(ctx, code.grant_id, code.scopes)
    await nameFamily(ctx.db, code.digest, familyId)
    await noteUse(ctx, code.grant_id)
    const issued = await issueTokens(ctx, familyId, {
      client,
      accountId: code.account_id,
      scopes: code.scopes,
    })
    return { ...issued, nonce: code.nonce }
  })
  return orThrow(outcome)
}

/** Each refresh token is used once: a second use means that a copy of it was stolen, and ends the family. */
export async function refresh(ctx: Context, client: ApplicationRow, form: Form): Promise<Exchanged> {
  const text = requiredField(form, 'refresh_token')
  const outcome = await transact(ctx, async (ctx): Promise<Outcome> => {
    const token = await lockRefreshToken(ctx, text)
    if (token === undefined || token.application_id !== client.id) return unknownToken()
    if (token.used_at !== null) {
      await endFamily(ctx.db, token.family_id)
      return unknownToken()
    }
    const scopes = narrowed(token.scopes, form.get('scope'))
    if (scopes === undefined) return new Refusal('invalid_scope', 'scope exceeds what was authorized')
    if (!(await mayAct(ctx, token.account_id))) return unknownToken()
    await ctx.db
      .updateTable('oauth2_refresh_token')
      .set({ used_at: ctx.now() })
      .where('digest', '=', token.digest)
      .execute()
    await noteUse(ctx, token.grant_id)
    const wish = { client, accountId: token.account_id, scopes }
    return { ...(await issueTokens(ctx, token.family_id, wish)), nonce: null }
  })
  return orThrow(outcome)
}

async function codeRefusal(
  ctx: Context,
  code: CodeToExchange,
  client: ApplicationRow,
  form: Form,
): Promise<Refusal | undefined> {
  if (code.expires_at <= ctx.now()) return unknownCode()
  if (!isSameRedirect(client, code.redirect_uri, form.get('redirect_uri') ?? null))
    return new Refusal('invalid_grant', 'redirect_uri differs from that of the authorization request')
  if (!isVerified(code.challenge, form.get('code_verifier'), client))
    return new Refusal('invalid_grant', 'code_verifier is wrong')
  return (await mayAct(ctx, code.account_id)) ? undefined : unknownCode()
}

/** A verifier without a challenge is refused too: somebody may have removed the challenge from the request. */
function isVerified(challenge: string | null, verifier: string | undefined, client: ApplicationRow): boolean {
  if (challenge === null) return verifier === undefined && client.is_confidential
  if (verifier === undefined || !VERIFIER.test(verifier)) return false
  const hashed = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const wanted = Buffer.from(challenge)
  return hashed.length === wanted.length && timingSafeEqual(hashed, wanted)
}

async function mayAct(ctx: Context, accountId: number): Promise<boolean> {
  const account = await findAccountById(ctx.db, accountId)
  return account !== undefined && refusalOf(account) === null
}

function narrowed(held: readonly string[], wanted: string | undefined): readonly string[] | undefined {
  if (wanted === undefined || wanted.trim() === '') return held
  const scopes = parseScopes(wanted, [])
  return scopes !== undefined && covers(held, scopes) ? scopes : undefined
}

async function noteUse(ctx: TxContext, grantId: number): Promise<void> {
  await ctx.db
    .updateTable('oauth2_grant')
    .set({ last_used_at: ctx.now() })
    .where('id', '=', grantId)
    .execute()
}

function orThrow(outcome: Outcome): Exchanged {
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/** The same answer for every reason, so that codes and tokens cannot be told apart. */
function unknownCode(): Refusal {
  return new Refusal('invalid_grant', 'code is invalid or has expired')
}

function unknownToken(): Refusal {
  return new Refusal('invalid_grant', 'refresh token is invalid or has expired')
}
