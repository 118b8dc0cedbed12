/** The key of the instance: found, made when it is first needed, and signed with. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { parseSshKey, signForSsh } from '#domains/code/keys'
import type { Sign } from '#git'
import { type Context, transact } from '#platform/context'
import { must } from '#platform/must'
import { findSigningKey, insertSigningKey } from './store.ts'
import type { NewSigningKeyRow, SigningKeyRow } from './tables.ts'

const PURPOSE = 'signing key'
const NAMESPACE = 'git'

/** One that is there stays known when nothing more is signed; none is made where nothing is. */
export async function findOrMakeKey(ctx: Context): Promise<SigningKeyRow | undefined> {
  const key = await findSigningKey(ctx.db)
  return key === undefined && ctx.config['signing.enabled'] ? makeKey(ctx) : key
}

/**
 * What signs commits in the name of the instance; undefined where it does not sign.
 *
 * Invariant: it vouches for the committer. So it is for commits whose committer is the caller, and for no others.
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
  // Another node may have been faster; then that one's is the instance's.
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
