/** Deploy keys of a repository: SSH keys, which repositories may share, and tokens. */
import { randomInt } from 'node:crypto'
import type { Administered } from '#domains/code/repositories'
import { type Context, transact } from '#platform/context'
import type { Paged } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { Page } from '#platform/rest'
import { digestOf } from '../bearer.ts'
import type { CreateDeployToken, CreateKey } from '../schemas.ts'
import { parseSshKey } from '../ssh/ssh-key.ts'
import {
  type DeployKeyFilter,
  type DeployKeyRecord,
  deleteDeployKeyRow,
  deleteUnusedPublicKey,
  findDeployKey,
  holdPublicKey,
  insertDeployKey,
  listDeployKeyRecords,
  lockPublicKey,
} from './deploy-key-store.ts'

const TOKEN_PREFIX = 'gdt_'
const TOKEN_LETTERS = 43
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function listDeployKeys(
  ctx: Context,
  repo: Administered,
  filter: Omit<DeployKeyFilter, 'repositoryId'>,
  page: Page,
): Promise<Paged<DeployKeyRecord>> {
  return listDeployKeyRecords(ctx.db, { ...filter, repositoryId: repo.id }, page)
}

export async function addDeployKey(
  ctx: Context,
  repo: Administered,
  input: CreateKey,
): Promise<DeployKeyRecord> {
  const { fingerprint, key } = parseSshKey(input.key)
  return transact(ctx, async (ctx) => {
    const now = ctx.now()
    const held = await holdPublicKey(ctx.db, { fingerprint, key, created_at: now })
    if (held === undefined) throw invalid('key is already in use, but not as a deploy key')
    const row = await insertDeployKey(ctx.db, {
      repository_id: repo.id,
      title: input.title,
      public_key_id: held.id,
      digest: null,
      is_read_only: input.read_only ?? false,
      created_at: now,
      last_used_at: null,
    })
    if (row === undefined) throw invalid('deploy key with this key or title already exists')
    return { ...row, key: held.key, fingerprint }
  })
}

/** The token is returned once and never stored. */
export async function addDeployToken(
  ctx: Context,
  repo: Administered,
  input: CreateDeployToken,
): Promise<{ record: DeployKeyRecord; token: string }> {
  const token = newToken()
  return transact(ctx, async (ctx) => {
    const row = await insertDeployKey(ctx.db, {
      repository_id: repo.id,
      title: input.title,
      public_key_id: null,
      digest: digestOf(token),
      is_read_only: input.read_only ?? false,
      created_at: ctx.now(),
      last_used_at: null,
    })
    if (row === undefined) throw invalid('deploy key with this title already exists')
    return { record: { ...row, key: null, fingerprint: null }, token }
  })
}

export async function getDeployKey(ctx: Context, repo: Administered, id: number): Promise<DeployKeyRecord> {
  const found = await findDeployKey(ctx.db, repo.id, id)
  if (found === undefined) throw notFound('deploy key', id)
  return found
}

/** Compat: deleting a missing key succeeds. */
export async function deleteDeployKey(ctx: Context, repo: Administered, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const found = await findDeployKey(ctx.db, repo.id, id)
    if (found === undefined) return
    // Locks the public key first, as adding does: the other order could deadlock.
    if (found.public_key_id !== null) await lockPublicKey(ctx.db, found.public_key_id)
    await deleteDeployKeyRow(ctx.db, id)
    if (found.public_key_id !== null) await deleteUnusedPublicKey(ctx.db, found.public_key_id)
  })
}

function newToken(): string {
  const letters = Array.from({ length: TOKEN_LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)])
  return TOKEN_PREFIX + letters.join('')
}
