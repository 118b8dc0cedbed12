/** Writes artifacts: begin, upload of parts, completion. */
import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { countRepositoryBytes } from '#domains/code/repositories'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import type { ArtifactRow, PartRow } from '../tables.ts'
import { readParts } from './read.ts'
import {
  countParts,
  detachParts,
  insertPart,
  listParts,
  lockArtifact,
  lockByName,
  placeBlocks,
  updateArtifact,
  updatePart,
  upsertArtifact,
} from './store.ts'

const DAY_MS = 86_400_000
const PARTS_MAX = 50_000
/** Larger artifacts are not read back to verify the digest: that would exceed the timeout of clients. */
const DIGESTED_BYTES_MAX = 2_147_483_648
const NAME_MAX = 255
/** Compat: characters that are not allowed in file names on some platform. */
const BAD_NAME = /["<>|*?:\\/\r\n\0]/

export interface Birth {
  readonly repository_id: number
  readonly run_id: number
  readonly name: string
  readonly protocol: 'v3' | 'v4'
  /** Default and maximum: `actions.artifact_days`. */
  readonly expiresAt?: Date | undefined
}

/** v4 replaces an archive of the same name; v3 adds files to it. */
export async function beginArtifact(ctx: Context, birth: Birth): Promise<ArtifactRow> {
  const { expiresAt, ...facts } = birth
  if (facts.name === '' || facts.name.length > NAME_MAX || BAD_NAME.test(facts.name))
    throw invalid('artifact name is not valid')
  const now = ctx.now()
  const last = new Date(now.getTime() + ctx.config['actions.artifact_days'] * DAY_MS)
  const expires_at = expiresAt !== undefined && expiresAt < last ? expiresAt : last
  return transact(ctx, async (ctx) => {
    const former = await lockByName(ctx.db, facts.run_id, facts.name)
    if (former?.protocol === 'v3' && facts.protocol === 'v3') return former
    if (former === undefined) await assertRoom(ctx, facts.run_id)
    const artifact = await upsertArtifact(ctx.db, { ...facts, created_at: now, expires_at })
    await detachParts(ctx.db, artifact.id)
    await countGrowth(ctx, artifact, -(former?.bytes ?? 0))
    return artifact
  })
}

async function assertRoom(ctx: TxContext, runId: number): Promise<void> {
  const { artifacts } = await ctx.db
    .selectFrom('action_artifact')
    .select((eb) => eb.fn.countAll<number>().as('artifacts'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  if (artifacts >= ctx.config['actions.artifacts_max']) throw new Problem('too_large', 'too many artifacts')
}

export interface Piece extends Pick<PartRow, 'path' | 'block' | 'is_gzipped'> {
  /** `next`: after all other parts. */
  readonly position: number | null | 'next'
  /** Replaces all existing parts. */
  readonly isWhole?: boolean
}

/** `bytes` must be the length of the stream. */
export async function takePart(
  ctx: Context,
  artifact: ArtifactRow,
  piece: Piece,
  stream: Readable | null,
  bytes: number,
): Promise<void> {
  const bytesMax = ctx.config['actions.artifact_bytes_max']
  if (bytes > bytesMax) throw new Problem('too_large', 'artifact is too large', { bytesMax })
  const key = newKey()
  // Insert the row first, so that the sweep finds the object even if this upload is never finished.
  await transact(ctx, (ctx) => insertPart(ctx.db, key, ctx.now()))
  await ctx.store.create(key, stream ?? Buffer.alloc(0), { bytes, signal: ctx.signal })
  await transact(ctx, async (ctx) => {
    const current = await lockSame(ctx, artifact)
    const { path, block, is_gzipped } = piece
    const gone = await detachParts(ctx.db, artifact.id, piece.isWhole ? {} : { path, block })
    const total = current.bytes - gone + bytes
    const parts = await countParts(ctx.db, artifact.id)
    if (total > bytesMax || parts >= PARTS_MAX)
      throw new Problem('too_large', 'artifact is too large', { bytesMax, partsMax: PARTS_MAX })
    const position = piece.position === 'next' ? parts : piece.position
    const facts = { artifact_id: artifact.id, path, block, position, bytes, is_gzipped }
    // The upload took longer than the sweep keeps detached parts.
    if (!(await updatePart(ctx.db, key, facts)))
      throw new Problem('unavailable', 'operation timed out, please try again')
    await updateArtifact(ctx.db, artifact.id, { bytes: total, updated_at: ctx.now() })
    await countGrowth(ctx, artifact, total - current.bytes)
  })
}

function countGrowth(ctx: TxContext, { repository_id }: ArtifactRow, bytes: number): Promise<void> {
  return countRepositoryBytes(ctx, repository_id, { counter: 'artifact_bytes', bytes, isLimited: true })
}

/** Sets which blocks make up an archive, and in which order. */
export async function orderBlocks(
  ctx: Context,
  artifact: ArtifactRow,
  blocks: readonly string[],
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockSame(ctx, artifact)
    const placed = await placeBlocks(ctx.db, artifact.id, blocks)
    if (placed !== blocks.length) throw new Problem('malformed', 'unknown block in the list')
  })
}

/** Refuses if the artifact was replaced by another of the same name, or completed meanwhile. */
async function lockSame(ctx: TxContext, artifact: ArtifactRow): Promise<ArtifactRow> {
  const current = await lockArtifact(ctx.db, artifact.id)
  if (current?.created_at.getTime() !== artifact.created_at.getTime())
    throw notFound('artifact', artifact.name)
  if (current.is_complete && current.protocol === 'v4')
    throw new Problem('conflict', 'artifact is already complete')
  return current
}

export interface Claims {
  readonly bytes?: number | undefined
  /** Hexadecimal. */
  readonly sha256?: string | undefined
}

/** `claims`: size and digest as the client states them, checked against the stored parts. */
export async function completeArtifact(
  ctx: Context,
  artifact: ArtifactRow,
  claims: Claims = {},
): Promise<void> {
  const parts = await listParts(ctx.db, artifact.id)
  const bytes = sumOf(parts)
  if (claims.bytes !== undefined && claims.bytes !== bytes)
    throw invalid('artifact does not have the size it should have')
  const isDigested = artifact.protocol === 'v4' && bytes <= DIGESTED_BYTES_MAX
  const digest = isDigested ? await digestOf(ctx, parts) : null
  if (digest !== null && claims.sha256 !== undefined && claims.sha256 !== digest)
    throw invalid('artifact does not have the digest it should have')
  await transact(ctx, async (ctx) => {
    const current = await lockSame(ctx, artifact)
    if (keysOf(await listParts(ctx.db, artifact.id)) !== keysOf(parts))
      throw new Problem('conflict', 'artifact was changed meanwhile')
    await detachParts(ctx.db, artifact.id, { isUnplaced: true })
    await updateArtifact(ctx.db, artifact.id, { is_complete: true, bytes, digest, updated_at: ctx.now() })
    await countGrowth(ctx, artifact, bytes - current.bytes)
  })
}

async function digestOf(ctx: Context, parts: readonly PartRow[]): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readParts(ctx, parts)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function sumOf(parts: readonly PartRow[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0)
}

/** Identifies the stored parts in order; parts of equal size differ in their keys. */
function keysOf(parts: readonly PartRow[]): string {
  return parts.map(({ object_key }) => object_key).join('\n')
}

function newKey(): string {
  const uuid = randomUUID()
  return `artifacts/${uuid.slice(0, 2)}/${uuid}`
}
