/** Compares both instances by machine, after a pass: rows, refs, digests of files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { listFolder, listRefs, type StorageId } from '#git'
import type { Carry, Move, Step } from './carry/carry.ts'
import { fromOf, isThere } from './carry/run-step.ts'
import { STORED } from './files/stored.ts'
import { number, text } from './source/fields.ts'
import { listSteps } from './state.ts'
import { STEPS } from './steps.ts'

export interface Difference {
  readonly what: string
  readonly source: number | string
  readonly here: number | string
}

export interface Report {
  readonly tables: number
  readonly repositories: number
  readonly refs: number
  readonly files: number
  /** Rows that stay behind, by step and reason. */
  readonly left: readonly { readonly step: string; readonly reason: string; readonly rows: number }[]
  readonly differences: readonly Difference[]
}

const AT_ONCE = 200

export async function reportMove(move: Move): Promise<Report> {
  const differences: Difference[] = []
  const left: { step: string; reason: string; rows: number }[] = []
  const states = await listSteps(move.ctx)
  for (const { name, left_out } of states.values())
    for (const [reason, rows] of Object.entries(left_out))
      left.push({ step: name, reason, rows: Number(rows) })
  const tables = await compareTables(move, differences)
  const { repositories, refs } = await compareRefs(move, differences)
  const files = await compareFiles(move, differences)
  return { tables, repositories, refs, files, left, differences }
}

/** Every row of the source is here, or was left out for a reason. */
async function compareTables(move: Move, differences: Difference[]): Promise<number> {
  const states = await listSteps(move.ctx)
  let compared = 0
  const groups = Map.groupBy(STEPS.filter(isCounted), ({ into }) => into)
  for (const [table, carries] of groups) {
    let expected = 0
    for (const carry of carries.filter((it) => isThere(move, it))) {
      const [row] = await move.source.rows(`select count(*) as n from ${fromOf(carry.from)}`)
      const state = states.get(carry.name)
      const leftOut = Object.values(state?.left_out ?? {}).reduce((sum, n) => sum + Number(n), 0)
      // A row of the source may become no row or several, so the report counts the rows that the step has written.
      const surplus = Number(state?.written_rows ?? 0) + leftOut - Number(state?.read_rows ?? 0)
      expected += Number(row?.n ?? 0) - leftOut + surplus
    }
    const foreign = sql.raw(carries.find((it) => it.foreign !== undefined)?.foreign ?? 'true')
    const here = await sql<{ n: string }>`
      select count(*) as n from ${sql.table(table)} where ${foreign}`.execute(move.ctx.db)
    const found = Number(here.rows[0]?.n ?? 0)
    if (found !== expected) differences.push({ what: `rows of ${table}`, source: expected, here: found })
    compared += 1
  }
  return compared
}

function isCounted(step: Step): step is Carry {
  return step.kind === 'carry' && !step.name.includes('.') && step.after === undefined && !step.isCompleted
}

/** The refs of each repository and wiki are those that git lists in its folder. */
async function compareRefs(move: Move, differences: Difference[]) {
  let repositories = 0
  let refs = 0
  for (let after = 0; ; ) {
    const rows = await move.source.rows(
      `select r.id, r.lower_name, u.lower_name as owner from repository as r join "user" as u on u.id = r.owner_id
       where r.id > ${after} order by r.id limit ${AT_ONCE}`,
    )
    if (rows.length === 0) return { repositories, refs }
    for (const row of rows) {
      after = number(row.id)
      const name = `${text(row.owner)}/${text(row.lower_name)}`
      const here = await move.ctx.db
        .selectFrom('repository')
        .select(['storage_id', 'wiki_storage_id'])
        .where('id', '=', after)
        .executeTakeFirst()
      repositories += 1
      refs += await compareFolder(move, differences, `${name}.git`, here?.storage_id ?? null)
      refs += await compareFolder(move, differences, `${name}.wiki.git`, here?.wiki_storage_id ?? null)
    }
  }
}

async function compareFolder(
  { ctx, installation }: Move,
  differences: Difference[],
  name: string,
  storageId: StorageId | null,
): Promise<number> {
  const folder = join(installation.repositories, name)
  const theirs = existsSync(folder) ? (await listFolder(ctx, folder)).refs : new Map<string, string>()
  const ours = new Map(
    storageId === null ? [] : (await listRefs(ctx.db, storageId)).map((ref) => [ref.name, ref.oid]),
  )
  for (const [ref, oid] of theirs)
    if (ours.get(ref) !== oid)
      differences.push({ what: `${name} ${ref}`, source: oid, here: ours.get(ref) ?? 'missing' })
  for (const [ref, oid] of ours)
    if (!theirs.has(ref) && !/^refs\/pull\/\d+\/v\/\d+$/.test(ref))
      differences.push({ what: `${name} ${ref}`, source: 'missing', here: oid })
  return theirs.size
}

/** Bytes of files: their objects exist with that size. Digests of LFS objects were verified when they were stored. */
async function compareFiles(move: Move, differences: Difference[]): Promise<number> {
  const { ctx } = move
  let files = 0
  for (const { query, keyOf } of STORED)
    for (let after = 0; ; ) {
      const { rows } = await sql<{ id: number; key: string; bytes: number }>`
        select * from (${sql.raw(query)}) as file where id > ${after} order by id limit ${AT_ONCE}`.execute(
        ctx.db,
      )
      if (rows.length === 0) break
      for (const { id, key, bytes } of rows) {
        after = Number(id)
        files += 1
        const here = await ctx.store.stat(keyOf(key))
        if (here?.bytes !== Number(bytes))
          differences.push({ what: keyOf(key), source: Number(bytes), here: here?.bytes ?? 'missing' })
      }
    }
  return files
}
