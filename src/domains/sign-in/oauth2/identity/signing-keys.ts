/**
 * The keys that sign ID tokens. A new key is published some days before it signs, so that applications that keep the list
 * for a while know it; an old one stays published until its last token has ended.
 *
 * RS256, because OpenID Connect demands it of every server, and clients of Gitea expect it.
 */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, exportJWK, importPKCS8 } from 'jose'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import type { SigningKeyRow } from '../tables.ts'

export const ALGORITHM = 'RS256'
export const PURPOSE = 'oauth2 signing key'
const MODULUS_BITS = 2_048
const PUBLISHED_BEFORE_MS = 2 * 86_400_000
/** After the end of its last token, for clocks that differ. */
const PUBLISHED_AFTER_MS = 3_600_000

export interface Signer {
  readonly kid: string
  readonly key: Awaited<ReturnType<typeof importPKCS8>>
}

/** For the JWKS: those that sign, will sign, or have signed tokens that may be valid still. */
export async function listKeys(ctx: Context): Promise<SigningKeyRow[]> {
  const keys = await selectKeys(ctx)
  return keys.length > 0 ? keys : [await makeFirst(ctx)]
}

/** The key that signs now. */
export async function getSigner(ctx: Context): Promise<Signer> {
  const keys = await listKeys(ctx)
  // The next key signs early if somebody deleted the current one.
  const row = must(keys.find(({ signs_from }) => signs_from <= ctx.now()) ?? keys.at(-1), 'there is a key')
  return { kid: row.kid, key: await importPKCS8(ctx.seal.open(PURPOSE, row.sealed_private_key), ALGORITHM) }
}

/** For a periodic task: publishes the next key in time, and deletes keys whose tokens have ended. */
export async function rotateKeys(ctx: Context): Promise<void> {
  const [newest] = await selectKeys(ctx)
  // A forge whose users sign in to no application needs no key.
  if (newest === undefined) return
  const now = ctx.now().getTime()
  const due = newest.signs_from.getTime() + ctx.config['oauth2.key_rotation_s'] * 1000
  if (now >= due - PUBLISHED_BEFORE_MS)
    await insertKey(ctx, newest.generation + 1, new Date(Math.max(due, now + PUBLISHED_BEFORE_MS)))
  await deleteEnded(ctx)
}

/** Newest first. */
function selectKeys(ctx: Context): Promise<SigningKeyRow[]> {
  return ctx.db.selectFrom('oauth2_signing_key').selectAll().orderBy('generation', 'desc').execute()
}

async function makeFirst(ctx: Context): Promise<SigningKeyRow> {
  await insertKey(ctx, 1, ctx.now())
  const [row] = await selectKeys(ctx)
  return must(row, 'what was kept can be read')
}

/** Another node may insert this generation first; then the key of that node counts. */
async function insertKey(ctx: Context, generation: number, signsFrom: Date): Promise<void> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
  const { kty = '', n = '', e = '' } = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint({ kty, n, e })
  await ctx.db
    .insertInto('oauth2_signing_key')
    .values({
      generation,
      kid,
      public_jwk: JSON.stringify({ kty, n, e, kid, use: 'sig', alg: ALGORITHM }),
      sealed_private_key: ctx.seal.seal(
        PURPOSE,
        privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      ),
      signs_from: signsFrom,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .execute()
}

async function deleteEnded(ctx: Context): Promise<void> {
  const tokensMs = ctx.config['oauth2.access_token_s'] * 1000
  const ended = new Date(ctx.now().getTime() - tokensMs - PUBLISHED_AFTER_MS)
  await ctx.db
    .deleteFrom('oauth2_signing_key')
    .where('generation', '<', (eb) =>
      eb
        .selectFrom('oauth2_signing_key as newer')
        .select(({ fn }) => fn.coalesce(fn.max('newer.generation'), eb.lit(0)).as('generation'))
        .where('newer.signs_from', '<', ended),
    )
    .execute()
}
