/** Verifies one repository: every byte of every pack, every object that a ref reaches, every ref. */
import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { findObject } from '#platform/object-store'
import { GitCache } from '../cache/cache.ts'
import { GitFailure, gitText, runGit } from '../command/run.ts'
import { packKey, type Sidecar } from '../packs/keys.ts'
import { listRefs } from '../refs/read.ts'
import { getStorage, OID_DIGITS } from '../storage/storage.ts'
import type { GitRef, ObjectFormat, Pack, StorageId } from '../tables.ts'
import { MAINTENANCE_TIMEOUT_MS } from './limits.ts'
import { listPacks } from './packs/pack-rows.ts'

const ANSWER_BYTES_MORE = 65_536

export interface Finding {
  readonly about: string
  readonly fault: string
}

export interface Verified {
  readonly packs: number
  readonly refs: number
  readonly findings: readonly Finding[]
}

export async function verifyStorage(ctx: Context, storageId: StorageId): Promise<Verified> {
  const storage = await getStorage(ctx.db, storageId)
  // Refs before packs: concurrent pushes are not verified, but everything verified must be complete.
  const refs = await listRefs(ctx.db, storageId)
  const packs = await listPacks(ctx.db, storageId)
  const findings: Finding[] = []
  for (const pack of packs) findings.push(...(await verifyPack(ctx, pack, storage.object_format)))
  // With damaged packs git could not read the repository, and the cause is already known.
  if (findings.length === 0) findings.push(...(await verifyObjects(ctx, storageId, refs)))
  return { packs: packs.length, refs: refs.length, findings }
}

async function verifyPack(ctx: Context, pack: Pack, format: ObjectFormat): Promise<Finding[]> {
  const about = `pack ${pack.digest}`
  const content = await measure(ctx, pack, 'pack', format)
  const index = await measure(ctx, pack, 'idx', format)
  if (content === undefined) return [{ about, fault: 'is missing from the object store' }]
  if (index === undefined) return [{ about, fault: 'has no index in the object store' }]
  const findings: Finding[] = []
  if (content.digest !== pack.digest || content.bytes !== pack.bytes)
    findings.push({ about, fault: 'checksum mismatch' })
  // An index ends with the checksum of its pack followed by its own checksum.
  const isSound = index.ownChecksum === index.lastChecksum && index.bytes === pack.index_bytes
  if (!isSound || index.lastButOne !== content.lastChecksum)
    findings.push({ about, fault: 'index is damaged or belongs to another pack' })
  return findings
}

interface Measured {
  readonly bytes: number
  /** SHA-256 of everything. */
  readonly digest: string
  /** Git's hash of everything but the last checksum. */
  readonly ownChecksum: string
  readonly lastChecksum: string
  readonly lastButOne: string
}

async function measure(
  ctx: Context,
  pack: Pack,
  sidecar: Sidecar,
  format: ObjectFormat,
): Promise<Measured | undefined> {
  const stored = await findObject(ctx.store, packKey(pack, sidecar))
  if (stored === undefined) return undefined
  const size = OID_DIGITS[format] / 2
  const whole = createHash('sha256')
  const own = createHash(format)
  let bytes = 0
  // The last two checksums are held back: the last one is not part of its own input.
  let held = Buffer.alloc(0)
  for await (const chunk of stored.body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    whole.update(chunk)
    const all = Buffer.concat([held, chunk])
    const rest = Math.max(0, all.length - 2 * size)
    own.update(all.subarray(0, rest))
    held = all.subarray(rest)
  }
  const lastButOne = held.subarray(0, -size)
  return {
    bytes,
    digest: whole.digest('hex'),
    ownChecksum: own.update(lastButOne).digest('hex'),
    lastChecksum: held.subarray(-size).toString('hex'),
    lastButOne: lastButOne.toString('hex'),
  }
}

/** Hydrates an empty cache, as a node would that has never had the repository. */
async function verifyObjects(
  ctx: Context,
  storageId: StorageId,
  refs: readonly GitRef[],
): Promise<Finding[]> {
  const folder = join(ctx.cache.scratch, `verify-${randomUUID()}`)
  const cache = new GitCache({ folder, bytesMax: Number.MAX_SAFE_INTEGER })
  try {
    await cache.open()
    await using lease = await cache.lease(ctx, storageId)
    const missing = await verifyRefs(ctx, lease.path, refs)
    return missing.length > 0 ? missing : await verifyReach(ctx, lease.path, refs)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function verifyRefs(ctx: Context, path: string, refs: readonly GitRef[]): Promise<Finding[]> {
  const input = refs.map(({ oid }) => `${oid}\n${oid}^{}\n`).join('')
  const command = { name: 'cat-file', flags: ['--batch-check=%(objectname)'] as const }
  // Each answer repeats its question plus a few words.
  const outputBytesMax = 2 * input.length + ANSWER_BYTES_MORE
  const options = { path, input, timeoutMs: MAINTENANCE_TIMEOUT_MS, outputBytesMax }
  const answers = (await gitText(ctx, command, options)).split('\n')
  return refs.flatMap(({ name, oid, peeled_oid }, i): Finding[] => {
    if (answers[2 * i] !== oid) return [{ about: name, fault: `points to ${oid}, which is missing` }]
    const peeled = answers[2 * i + 1] === oid ? null : answers[2 * i + 1]
    return peeled === peeled_oid ? [] : [{ about: name, fault: `has the wrong peeled object ${peeled_oid}` }]
  })
}

/** Git names the first missing object. */
async function verifyReach(ctx: Context, path: string, refs: readonly GitRef[]): Promise<Finding[]> {
  const input = refs.map(({ oid }) => `${oid}\n`).join('')
  const walk = { name: 'rev-list', flags: ['--objects', '--quiet', '--stdin'] as const }
  try {
    await runGit(ctx, walk, { path, input, timeoutMs: MAINTENANCE_TIMEOUT_MS })
    await runGit(
      ctx,
      { name: 'fsck', flags: ['--connectivity-only', '--no-dangling', '--no-progress'] },
      { path, timeoutMs: MAINTENANCE_TIMEOUT_MS },
    )
    return []
  } catch (error) {
    if (!(error instanceof GitFailure) || error.code === null) throw error
    return [{ about: 'objects', fault: error.said }]
  }
}
