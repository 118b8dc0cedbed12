/** Public SSH keys of users. Invariant: a key belongs to one account in the whole forge. */

import { findAccountById, isVisible } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import { type Paged, takePage } from '#platform/db'
import { forbidden, invalid, notFound } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import { deleteUnusedPublicKey, lockUnowned } from '../deploy/deploy-key-store.ts'
import { isUseWorthNoting } from '../last-use.ts'
import type { KeyOwner } from '../open-owner.ts'
import type { CreateKey } from '../schemas.ts'
import {
  deletePublicKeyRow,
  findPublicKey,
  findPublicKeyByFingerprint,
  insertPublicKey,
  type PublicKeyFilter,
  selectPublicKeys,
  updateLastUse,
} from '../store.ts'
import type { PublicKeyRow } from '../tables.ts'
import type { OwnedKey } from '../wire.ts'
import { parseSshKey } from './ssh-key.ts'

export function listPublicKeys(
  ctx: Context,
  filter: PublicKeyFilter,
  page: Page,
): Promise<Paged<PublicKeyRow>> {
  return takePage(selectPublicKeys(ctx.db, filter), page)
}

export async function addPublicKey(ctx: Context, owner: KeyOwner, input: CreateKey): Promise<PublicKeyRow> {
  const { fingerprint, key } = parseSshKey(input.key)
  const is_read_only = input.read_only ?? false
  const row = { account_id: owner.id, title: input.title, fingerprint, key, is_read_only }
  return transact(ctx, async (ctx) => {
    // An ownerless row left by deploy keys of deleted repositories does not block the key.
    const left = await lockUnowned(ctx.db, fingerprint)
    if (left !== undefined) await deleteUnusedPublicKey(ctx.db, left)
    const added = await insertPublicKey(ctx.db, { ...row, created_at: ctx.now(), last_used_at: null })
    if (added !== undefined) return added
    // The cause is found after the conflict, because an earlier check would miss concurrent inserts.
    const taken = await findPublicKeyByFingerprint(ctx.db, fingerprint)
    throw invalid(taken === undefined ? 'key title has been used' : 'key has been used')
  })
}

/** Compat: any user may read a key by its id; only the owner and administrators see whose it is. */
export async function getPublicKey(ctx: Context, _reader: SignedIn, id: number): Promise<OwnedKey> {
  const key = await findPublicKey(ctx.db, id)
  const owner = key && (await findAccountById(ctx.db, key.account_id))
  if (key === undefined || owner === undefined || !(await isVisible(ctx, owner)))
    throw notFound('public key', id)
  return { key, owner }
}

/** Compat: an administrator may delete any key. */
export async function deletePublicKey(ctx: Context, owner: KeyOwner, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const key = await findPublicKey(ctx.db, id)
    if (key === undefined) throw notFound('public key', id)
    if (key.account_id !== owner.id && !owner.is_admin) throw forbidden('key belongs to another user')
    await deletePublicKeyRow(ctx.db, id)
  })
}

/** Called by the SSH server after authentication. */
export async function touchPublicKey(ctx: Context, key: PublicKeyRow): Promise<void> {
  const now = ctx.now()
  if (!isUseWorthNoting(key.last_used_at, now)) return
  await transact(ctx, (ctx) => updateLastUse(ctx.db, key.id, now))
}
