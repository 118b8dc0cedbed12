/** GPG keys of users: add, verify, list and delete. */
import type { Account } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { type Db, type Paged, takePage } from '#platform/db'
import { invalid, notFound, Problem } from '#platform/problem'
import type { Page } from '#platform/rest'
import type { KeyOwner } from '../open-owner.ts'
import type { CreateGpgKey, VerifyGpgKey } from '../schemas.ts'
import {
  deleteGpgKeyRow,
  findGpgKey,
  findGpgKeyByKeyId,
  insertGpgKey,
  insertGpgSubkeys,
  isGpgKeyKnown,
  listEmails,
  markVerified,
  selectGpgKeys,
  selectGpgSubkeys,
} from '../store.ts'
import type { GpgKeyRow, NewGpgKeyRow } from '../tables.ts'
import type { WholeGpgKey } from '../wire.ts'
import { type GpgKey, type GpgSubkey, parseGpgKeys } from './gpg-key.ts'
import { isProof, proofText } from './gpg-proof.ts'

const KEY_ID_DIGITS = 16

export async function listGpgKeys(ctx: Context, owner: Account, page: Page): Promise<Paged<WholeGpgKey>> {
  const { items, total } = await takePage(selectGpgKeys(ctx.db, owner.id), page)
  return { items: await loadWhole(ctx.db, owner.id, items), total }
}

/**
 * Adds every key of a block, or only the one that signed if a signature is given; returns the first. A key without such
 * a proof must have a confirmed address of the account.
 */
export async function addGpgKeys(ctx: Context, owner: KeyOwner, input: CreateGpgKey): Promise<WholeGpgKey> {
  const given = await parseGpgKeys(input.armored_public_key)
  const signature = input.armored_signature ?? ''
  const signer = signature === '' ? undefined : await getSigner(ctx, owner, given, signature)
  return transact(ctx, async (ctx) => {
    const rows: GpgKeyRow[] = []
    for (const key of signer === undefined ? given : [signer]) {
      // Compat: a key in use is reported before a missing address.
      if (await isGpgKeyKnown(ctx.db, key.key_id)) throw inUse()
      if (signer === undefined) await assertBearsAddress(ctx, owner, key)
      rows.push(await insertWhole(ctx, owner, key, signer !== undefined))
    }
    const [first] = await loadWhole(ctx.db, owner.id, rows.slice(0, 1))
    if (first === undefined) throw invalid('no key found')
    return first
  })
}

export async function getGpgKey(ctx: Context, owner: KeyOwner, id: number): Promise<WholeGpgKey> {
  const row = await findGpgKey(ctx.db, owner.id, id)
  const [whole] = row === undefined ? [] : await loadWhole(ctx.db, owner.id, [row])
  if (whole === undefined) throw notFound('gpg key', id)
  return whole
}

/** Verifies a key that was added without a signature; the request may name one of its subkeys. */
export async function verifyGpgKey(ctx: Context, owner: KeyOwner, input: VerifyGpgKey): Promise<WholeGpgKey> {
  const keyId = input.key_id.toUpperCase().padStart(KEY_ID_DIGITS, '0')
  const part = await findGpgKeyByKeyId(ctx.db, owner.id, keyId)
  const key = part?.primary_id ? await findGpgKey(ctx.db, owner.id, part.primary_id) : part
  if (key === undefined) throw notFound('gpg key', input.key_id)
  if (!(await isProof(ctx, owner.id, key.armored, input.armored_signature))) throw noProof(ctx, owner)
  await transact(ctx, (ctx) => markVerified(ctx.db, key.id))
  return getGpgKey(ctx, owner, key.id)
}

/** Compat: deleting a missing or foreign key succeeds. */
export async function deleteGpgKey(ctx: Context, owner: KeyOwner, id: number): Promise<void> {
  await transact(ctx, (ctx) => deleteGpgKeyRow(ctx.db, owner.id, id))
}

async function getSigner(
  ctx: Context,
  owner: KeyOwner,
  keys: readonly GpgKey[],
  signature: string,
): Promise<GpgKey> {
  for (const key of keys) if (await isProof(ctx, owner.id, key.armored, signature)) return key
  throw noProof(ctx, owner)
}

async function assertBearsAddress(ctx: TxContext, owner: KeyOwner, key: GpgKey): Promise<void> {
  const emails = await listEmails(ctx.db, owner.id)
  if (emails.some((it) => it.is_verified && key.emails.includes(it.email_key))) return
  throw new Problem(
    'not_found',
    `key has no verified email address of yours; sign this token with the key: ${proofText(ctx, owner.id)}`,
  )
}

async function insertWhole(
  ctx: TxContext,
  owner: KeyOwner,
  key: GpgKey,
  isVerified: boolean,
): Promise<GpgKeyRow> {
  const shared = { account_id: owner.id, is_verified: isVerified, added_at: ctx.now() }
  const row = await insertGpgKey(ctx.db, {
    ...columnsOf(key),
    ...shared,
    primary_id: null,
    armored: key.armored,
    emails: JSON.stringify(key.emails),
  })
  if (row === undefined) throw inUse()
  // An encryption subkey can be attached to anyone's key, so a subkey that another key has must not refuse this one.
  await insertGpgSubkeys(
    ctx.db,
    key.subkeys.map((subkey) => ({ ...columnsOf(subkey), ...shared, primary_id: row.id, armored: '' })),
  )
  return row
}

function columnsOf(
  part: GpgSubkey,
): Omit<NewGpgKeyRow, 'account_id' | 'primary_id' | 'armored' | 'added_at'> {
  return {
    key_id: part.key_id,
    primary_key_id: part.primary_key_id,
    public_key: part.public_key,
    emails: '[]',
    can_sign: part.can_sign,
    can_encrypt_comms: part.can_encrypt_comms,
    can_encrypt_storage: part.can_encrypt_storage,
    can_certify: part.can_certify,
    created_at: part.created_at,
    expires_at: part.expires_at,
  }
}

/** Two queries, whatever the number of keys. */
async function loadWhole(db: Db, accountId: number, rows: readonly GpgKeyRow[]): Promise<WholeGpgKey[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const subkeys = await selectGpgSubkeys(db, ids).execute()
  const emails = await listEmails(db, accountId)
  return rows.map((key) => ({
    key,
    subkeys: subkeys.filter((subkey) => subkey.primary_id === key.id),
    emails: emails.filter(({ email_key }) => key.emails.includes(email_key)),
  }))
}

function inUse(): Problem {
  return invalid('gpg key already exists')
}

function noProof(ctx: Context, owner: KeyOwner): Problem {
  return invalid(`invalid or expired signature; sign this token with the key: ${proofText(ctx, owner.id)}`)
}
