/** SQL on artifacts and their parts. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { countRepositoryBytes, findFullName } from '#domains/code/repositories'
import type { TxContext } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import type { ArtifactRow, PartRow } from '../tables.ts'

export type NewArtifact = Pick<
  ArtifactRow,
  'repository_id' | 'run_id' | 'name' | 'protocol' | 'created_at' | 'expires_at'
>

/** Artifact names are unique in a run: an existing artifact is reset and keeps its id. */
export function upsertArtifact(tx: Tx, facts: NewArtifact): Promise<ArtifactRow> {
  const row = { ...facts, is_complete: false, bytes: 0, digest: null, updated_at: facts.created_at }
  return tx
    .insertInto('action_artifact')
    .values(row)
    .onConflict((conflict) => conflict.columns(['run_id', 'name']).doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locked: its bytes do not change until the transaction ends. */
export function lockByName(tx: Tx, runId: number, name: string): Promise<ArtifactRow | undefined> {
  return tx
    .selectFrom('action_artifact')
    .selectAll()
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
}

export function findByName(db: Db, runId: number, name: string): Promise<ArtifactRow | undefined> {
  return db
    .selectFrom('action_artifact')
    .selectAll()
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .executeTakeFirst()
}

export function findArtifact(db: Db, id: number): Promise<ArtifactRow | undefined> {
  return db.selectFrom('action_artifact').selectAll().where('id', '=', id).executeTakeFirst()
}

export function lockArtifact(tx: Tx, id: number): Promise<ArtifactRow | undefined> {
  return tx.selectFrom('action_artifact').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateArtifact(tx: Tx, id: number, set: Partial<ArtifactRow>): Promise<void> {
  await tx.updateTable('action_artifact').set(set).where('id', '=', id).execute()
}

type Deleted = Pick<ArtifactRow, 'repository_id' | 'bytes'>

export async function deleteArtifact(ctx: TxContext, id: number): Promise<void> {
  const gone = await ctx.db
    .deleteFrom('action_artifact')
    .where('id', '=', id)
    .returning(['repository_id', 'bytes'])
    .execute()
  await countDeleted(ctx, gone)
}

/** Returns how many were deleted. */
export async function deleteExpired(ctx: TxContext, limit: number): Promise<number> {
  const { rows } = await sql<Deleted>`delete from action_artifact where id in (
      select id from action_artifact where expires_at < ${ctx.now()} order by expires_at limit ${limit})
    returning repository_id, bytes`.execute(ctx.db)
  await countDeleted(ctx, rows)
  return rows.length
}

/** Before a run is deleted, and its artifacts with it. */
export async function countOfRun(ctx: TxContext, runId: number): Promise<void> {
  const artifacts = await ctx.db
    .selectFrom('action_artifact')
    .select(['repository_id', 'bytes'])
    .where('run_id', '=', runId)
    .forUpdate()
    .execute()
  await countDeleted(ctx, artifacts)
}

/** In one order, so that two transactions that delete do not wait for each other in a circle. */
async function countDeleted(ctx: TxContext, gone: readonly Deleted[]): Promise<void> {
  const byRepository = Map.groupBy(gone, ({ repository_id }) => repository_id)
  for (const [id, artifacts] of [...byRepository].toSorted(([one], [other]) => one - other)) {
    const bytes = artifacts.reduce((sum, artifact) => sum - artifact.bytes, 0)
    await countRepositoryBytes(ctx, id, { counter: 'artifact_bytes', bytes })
  }
}

/** Complete artifacts of a run. */
export function listOfRun(db: Db, runId: number, limit: number): Promise<ArtifactRow[]> {
  return db
    .selectFrom('action_artifact')
    .selectAll()
    .where('run_id', '=', runId)
    .where('is_complete', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function insertPart(tx: Tx, objectKey: string, now: Date): Promise<void> {
  await tx
    .insertInto('action_artifact_part')
    .values({ object_key: objectKey, artifact_id: null, position: null, created_at: now })
    .execute()
}

export type PartFacts = Pick<PartRow, 'artifact_id' | 'path' | 'block' | 'position' | 'bytes' | 'is_gzipped'>

/** False if the part was swept meanwhile. */
export async function updatePart(tx: Tx, objectKey: string, facts: PartFacts): Promise<boolean> {
  const updated = await tx
    .updateTable('action_artifact_part')
    .set(facts)
    .where('object_key', '=', objectKey)
    .returning('object_key')
    .executeTakeFirst()
  return updated !== undefined
}

/** Detached parts are swept later. Returns the sum of their bytes. */
export async function detachParts(
  tx: Tx,
  artifactId: number,
  which: { readonly path?: string; readonly block?: string; readonly isUnplaced?: boolean } = {},
): Promise<number> {
  let parts = tx
    .updateTable('action_artifact_part')
    .set({ artifact_id: null })
    .where('artifact_id', '=', artifactId)
  if (which.path !== undefined) parts = parts.where('path', '=', which.path)
  if (which.block !== undefined) parts = parts.where('block', '=', which.block)
  if (which.isUnplaced) parts = parts.where('position', 'is', null)
  const rows = await parts.returning('bytes').execute()
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Assigns positions in the order of `blocks`. Returns the number of parts that were placed. */
export async function placeBlocks(tx: Tx, artifactId: number, blocks: readonly string[]): Promise<number> {
  await tx
    .updateTable('action_artifact_part')
    .set({ position: null })
    .where('artifact_id', '=', artifactId)
    .execute()
  const { numAffectedRows = 0n } = await sql`update action_artifact_part set position = said.position
    from unnest(${[...blocks]}::text[]) with ordinality as said (block, position)
    where artifact_id = ${artifactId} and path = '' and action_artifact_part.block = said.block`.execute(tx)
  return Number(numAffectedRows)
}

export async function countParts(db: Db, artifactId: number): Promise<number> {
  const { parts } = await db
    .selectFrom('action_artifact_part')
    .select((eb) => eb.fn.countAll<number>().as('parts'))
    .where('artifact_id', '=', artifactId)
    .executeTakeFirstOrThrow()
  return parts
}

/** Parts with a position, ordered by path and position. */
export function listParts(db: Db, artifactId: number, path?: string): Promise<PartRow[]> {
  const parts = db
    .selectFrom('action_artifact_part')
    .selectAll()
    .where('artifact_id', '=', artifactId)
    .where('position', 'is not', null)
    .orderBy('path')
    .orderBy('position')
  return (path === undefined ? parts : parts.where('path', '=', path)).execute()
}

/** What a part belongs to, for messages to operators; undefined if it was detached. */
export async function findPartOwner(db: Db, objectKey: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('action_artifact_part')
    .innerJoin('action_artifact', 'action_artifact.id', 'action_artifact_part.artifact_id')
    .select(['action_artifact.name', 'action_artifact.run_id', 'action_artifact.repository_id'])
    .where('object_key', '=', objectKey)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const repository = await findFullName(db, found.repository_id)
  return `artifact ${found.name} of run ${found.run_id} of ${repository}`
}
