/** Authorization codes: issued to a browser, exchanged once by the application. Only digests are stored. */
import { randomBytes } from 'node:crypto'
import { digestOf } from '#domains/code/keys'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import type { AuthorizationRequest } from './request.ts'

const CODE = /^goc_[0-9a-f]{64}$/
const CODE_BYTES = 32
const CODE_MS = 5 * 60_000

export async function issueCode(
  ctx: Context,
  grantId: number,
  { scopes, redirectUri, challenge, nonce }: AuthorizationRequest,
): Promise<string> {
  const code = `goc_${randomBytes(CODE_BYTES).toString('hex')}`
  const now = ctx.now()
  const row = {
    digest: digestOf(code),
    grant_id: grantId,
    scopes: [...scopes],
    redirect_uri: redirectUri,
    challenge,
    nonce,
    created_at: now,
    expires_at: new Date(now.getTime() + CODE_MS),
    used_at: null,
    family_id: null,
  }
  await transact(ctx, (ctx) => ctx.db.insertInto('oauth2_code').values(row).execute())
  return code
}

export type CodeToExchange = NonNullable<Awaited<ReturnType<typeof lockCode>>>

/** Of two concurrent exchanges the second waits here, and finds the code used. */
export async function lockCode(tx: Tx, code: string) {
  if (!CODE.test(code)) return undefined
  return tx
    .selectFrom('oauth2_code')
    .innerJoin('oauth2_grant', 'oauth2_grant.id', 'oauth2_code.grant_id')
    .selectAll('oauth2_code')
    .select(['oauth2_grant.application_id', 'oauth2_grant.account_id'])
    .where('oauth2_code.digest', '=', digestOf(code))
    .forUpdate('oauth2_code')
    .executeTakeFirst()
}

export async function markUsed(ctx: TxContext, digest: Buffer): Promise<void> {
  await ctx.db.updateTable('oauth2_code').set({ used_at: ctx.now() }).where('digest', '=', digest).execute()
}

/** The tokens that a second exchange ends. */
export async function nameFamily(tx: Tx, digest: Buffer, familyId: number): Promise<void> {
  await tx.updateTable('oauth2_code').set({ family_id: familyId }).where('digest', '=', digest).execute()
}

export async function sweepCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oauth2_code').where('expires_at', '<', now).execute()
}
