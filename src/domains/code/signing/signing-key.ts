/** The instance's signing key: lookup, creation on first use, and signing. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { parseSshKey, signForSsh } from '#domains/code/keys'
import type { Sign } from '#git'
import { type Context, transact } from '#platform/context'
import { must } from '#platform/must'
import { findSigningKey, insertSigningKey } from './store.ts'
import type { NewSigningKeyRow, SigningKeyRow } from './tables.ts'

export const PURPOSE = 'signing key'
const NAMESPACE = 'git'

/** An existing key is returned even when `signing.enabled` is off, so that older signatures stay verifiable. */
export async function findOrMakeKey(ctx: Context): Promise<SigningKeyRow | undefined> {
  const key = await findSigningKey(ctx.db)
  return key === undefined && ctx.config['signing.enabled'] ? makeKey(ctx) : key
}

/**
 * The function that signs commits with the instance's key; undefined when `signing.enabled` is off.
 *
 * Invariant: the signature vouches for the committer. Use it only for commits whose committer is the caller.
 */
export async function findSigner(ctx: Context): Promise<Sign | undefined> {
  if (!ctx.config['signing.enabled']) return undefined
  const { public_key, sealed_private_key } = must(await findOrMakeKey(ctx), 'there is a key where it signs')
  const privateKey = createPrivateKey(ctx.seal.open(PURPOSE, sealed_private_key))
  return async (payload) => signForSsh(parseSshKey(public_key), privateKey, payload, NAMESPACE)
}

async function makeKey(ctx: Context): Promise<SigningKeyRow> {
  const row = generateKey(ctx)
  await transact(ctx, (ctx) => insertSigningKey(ctx.db, row))
  // Another node may have inserted its key first; the stored row is the key of the instance.
  return must(await findSigningKey(ctx.db), 'what was kept can be read')
}

function generateKey(ctx: Context): NewSigningKeyRow {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { key, fingerprint } = parseSshKey(
    publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
  )
  return {
    public_key: key,
    fingerprint,
    sealed_private_key: ctx.seal.seal(
      PURPOSE,
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ),
    created_at: ctx.now(),
  }
}
