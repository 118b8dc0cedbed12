/** Artifacts are written: begun, filled part by part, and completed. */
import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import type { ArtifactRow, PartRow } from '../tables.ts'
import { readParts } from './read.ts'
import {
  countParts,
  detachParts,
  findByName,
  insertPart,
  listParts,
  lockArtifact,
  placeBlocks,
  updateArtifact,
  updatePart,
  upsertArtifact,
} from './store.ts'

const DAY_MS = 86_400_000
const PARTS_MAX = 50_000
/** What is larger is not read again to be sure of its digest: that would take longer than clients wait. */
const DIGESTED_BYTES_MAX = 2_147_483_648
const NAME_MAX = 255
/** Compat: what cannot be a name of a file somewhere. */
const BAD_NAME = /["<>|*?:\\/\r\n\0]/

export interface Birth {
  readonly repository_id: number
  readonly run_id: number
  readonly name: string
  readonly protocol: 'v3' | 'v4'
  /** As long as others are kept, when absent. */
  readonly expiresAt?: Date | undefined
}

/** An archive of the same name is replaced; to files of the same name others are added. */
export async function beginArtifact(ctx: Context, birth: Birth): Promise<ArtifactRow> {
  const { expiresAt, ...facts } = birth
  if (facts.name === '' || facts.name.length > NAME_MAX || BAD_NAME.test(facts.name))
    throw invalid('artifact name is not valid')
  const now = ctx.now()
  const last = new Date(now.getTime() + ctx.config['actions.artifact_days'] * DAY_MS)
  const expires_at = expiresAt !== undefined && expiresAt < last ? expiresAt : last
  return transact(ctx, async (ctx) => {
    const former = await findByName(ctx.db, facts.run_id, facts.name)
    if (former?.protocol === 'v3' && facts.protocol === 'v3') return former
    if (former === undefined) await assertRoom(ctx, facts.run_id)
    const artifact = await upsertArtifact(ctx.db, { ...facts, created_at: now, expires_at })
    await detachParts(ctx.db, artifact.id)
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
  /** `next`: behind all others. */
  readonly position: number | null | 'next'
  /** All that was there before goes. */
  readonly isWhole?: boolean
}

/** `bytes`: as many as the stream holds, or it is refused. */
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
  // The row first: whatever is stored can be found again, also when nobody is left to finish it.
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
    // It took longer than parts are kept for nobody.
    if (!(await updatePart(ctx.db, key, facts)))
      throw new Problem('unavailable', 'operation timed out, please try again')
    await updateArtifact(ctx.db, artifact.id, { bytes: total, updated_at: ctx.now() })
  })
}

/** An archive consists of these blocks, in this order. */
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

/** The same that was begun: one of the same name may have taken its place, or it may be complete by now. */
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
  /** In hexadecimal digits. */
  readonly sha256?: string | undefined
}

/** What its sender says of it is held against what has come. */
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
    await lockSame(ctx, artifact)
    if (keysOf(await listParts(ctx.db, artifact.id)) !== keysOf(parts))
      throw new Problem('conflict', 'artifact was changed meanwhile')
    await detachParts(ctx.db, artifact.id, { isUnplaced: true })
    await updateArtifact(ctx.db, artifact.id, { is_complete: true, bytes, digest, updated_at: ctx.now() })
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

/** What it consists of, in its order: parts of the same size are not the same parts. */
function keysOf(parts: readonly PartRow[]): string {
  return parts.map(({ object_key }) => object_key).join('\n')
}

function newKey(): string {
  const uuid = randomUUID()
  return `artifacts/${uuid.slice(0, 2)}/${uuid}`
}
