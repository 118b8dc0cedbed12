/** Git: all refs of each repository and wiki, into their storages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { numberOfHead } from '#domains/review/pulls'
import { createStorage, fetchFolder, listFolder, type StorageId, setHead } from '#git'
import { type Context, transact } from '#platform/context'
import type { Advance, Move, Progress, Task } from '../carry/carry.ts'
import type { SourceRow } from '../source/driver.ts'
import { number, text } from '../source/fields.ts'

const AT_ONCE = 50
const FAILED = 'git refuses it'

/** Repositories that are fetched at the same moment. */
const TOGETHER = 4

type Work = (move: Move, place: Place) => Promise<number>

interface Place {
  readonly id: number
  readonly folder: string
}

const code: Task = {
  kind: 'task',
  name: 'git',
  run: (move, from, advance) =>
    forEach(move, from, advance, '.git', async ({ ctx }, { id, folder }) => {
      const row = await ctx.db
        .selectFrom('repository')
        .select('storage_id')
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return 0
      return take(ctx, row.storage_id, folder)
    }),
}

const wikis: Task = {
  kind: 'task',
  name: 'git of wikis',
  run: (move, from, advance) =>
    forEach(move, from, advance, '.wiki.git', async ({ ctx }, { id, folder }) => {
      const { refs, head } = await listFolder(ctx, folder)
      if (refs.size === 0) return 0
      const storageId = await findWiki(ctx, id, head)
      return storageId === undefined ? 0 : take(ctx, storageId, folder)
    }),
}

async function forEach(
  move: Move,
  from: number,
  advance: Advance,
  suffix: string,
  work: Work,
): Promise<void> {
  for (let after = from; ; ) {
    const rows = await move.source.rows(
      `select r.id, r.lower_name, u.lower_name as owner from repository as r join "user" as u on u.id = r.owner_id
       where r.id > ${after} order by r.id limit ${AT_ONCE}`,
    )
    if (rows.length === 0) return
    for (let first = 0; first < rows.length; first += TOGETHER) {
      move.ctx.signal.throwIfAborted()
      const group = rows.slice(first, first + TOGETHER)
      const progress = await Promise.all(group.map((row) => takeOne(move, row, suffix, work)))
      for (const it of progress) await advance(it)
      after = progress.at(-1)?.lastId ?? after
    }
  }
}

/** A repository that git refuses is counted, and the others go on. */
async function takeOne(move: Move, row: SourceRow, suffix: string, work: Work): Promise<Progress> {
  const name = `${text(row.owner)}/${text(row.lower_name)}${suffix}`
  const folder = join(move.installation.repositories, name)
  const done = { lastId: number(row.id), read: 1, written: 0 }
  if (!existsSync(folder))
    return suffix === '.git' ? { ...done, left: new Map([['its folder is missing', 1]]) } : done
  try {
    return { ...done, written: await work(move, { id: done.lastId, folder }) }
  } catch (error) {
    if (move.ctx.signal.aborted) throw error
    move.tell(`${name}: ${String(error).slice(0, 500)}`)
    return { ...done, left: new Map([[FAILED, 1]]) }
  }
}

/** The first version of a pull request is its head. */
async function take(ctx: Context, storageId: StorageId, folder: string): Promise<number> {
  const found = await listFolder(ctx, folder)
  const moved = await fetchFolder(ctx, storageId, folder, found, (name) => {
    const pull = numberOfHead(name)
    return pull === undefined ? [] : [`refs/pull/${pull}/v/1`]
  })
  await transact(ctx, async (ctx) => {
    const storage = await ctx.db
      .selectFrom('git_storage')
      .select('head')
      .where('id', '=', storageId)
      .executeTakeFirst()
    if (found.head !== '' && storage !== undefined && storage.head !== found.head)
      await setHead(ctx.db, storageId, found.head, ctx.now())
  })
  return moved
}

async function findWiki(ctx: Context, repositoryId: number, head: string): Promise<StorageId | undefined> {
  return transact(ctx, async (ctx) => {
    const row = await ctx.db
      .selectFrom('repository')
      .select(['wiki_storage_id', 'object_format'])
      .where('id', '=', repositoryId)
      .executeTakeFirst()
    if (row === undefined || row.wiki_storage_id !== null) return row?.wiki_storage_id ?? undefined
    const options = { objectFormat: row.object_format, head: head || 'refs/heads/main', now: ctx.now() }
    const made = await createStorage(ctx.db, options)
    await ctx.db
      .updateTable('repository')
      .set({ wiki_storage_id: made })
      .where('id', '=', repositoryId)
      .execute()
    return made
  })
}

export const gitSteps = [code, wikis]
