/** Git: all refs of each repository and wiki, into their storages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { numberOfHead } from '#domains/review/pulls'
import { createStorage, fetchFolder, listFolder, type StorageId, setHead } from '#git'
import { type Context, transact } from '#platform/context'
import type { Advance, Move, Task } from '../carry/carry.ts'
import { number, text } from '../source/fields.ts'

const AT_ONCE = 50
const FAILED = 'git refuses it'

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
  work: (move: Move, place: Place) => Promise<number>,
): Promise<void> {
  for (let after = from; ; ) {
    const rows = await move.source.rows(
      `select r.id, r.lower_name, u.lower_name as owner from repository as r join "user" as u on u.id = r.owner_id
       where r.id > ${after} order by r.id limit ${AT_ONCE}`,
    )
    if (rows.length === 0) return
    for (const row of rows) {
      move.ctx.signal.throwIfAborted()
      after = number(row.id)
      const folder = join(
        move.installation.folders.repositories,
        text(row.owner),
        text(row.lower_name) + suffix,
      )
      const left = new Map<string, number>()
      let written = 0
      if (existsSync(folder))
        written = await work(move, { id: after, folder }).catch((error: unknown) => {
          if (move.ctx.signal.aborted) throw error
          move.tell(`${text(row.owner)}/${text(row.lower_name)}${suffix}: ${String(error).slice(0, 500)}`)
          left.set(FAILED, 1)
          return 0
        })
      else if (suffix === '.git') left.set('its folder is missing', 1)
      await advance({ lastId: after, read: 1, written, left })
    }
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
