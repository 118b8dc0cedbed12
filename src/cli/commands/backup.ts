/** `bloomery backup`: saves the forge to a folder, or runs the operator's own commands, while nothing is deleted from the store. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { duringBackup } from '#platform/backup'
import type { Context } from '#platform/context'
import { openObjectStore } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import { VERSION } from '#platform/version'
import { dropOthers, saveObjects } from '../archive/copy-objects.ts'
import { dumpDatabase } from '../archive/dump.ts'
import {
  describeFile,
  FORMAT,
  findManifest,
  objectsFolder,
  readObjectList,
  writeManifest,
  writeObjectList,
} from '../archive/manifest.ts'
import { tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

export async function backup(
  file: string | undefined,
  words: readonly string[],
  { to }: { readonly to?: string },
): Promise<void> {
  const [program, ...args] = words
  if ((program === undefined) === (to === undefined))
    throw new OperatorError('give either --to FOLDER, or your own backup command after --')
  await withWorld(file, (ctx) =>
    duringBackup(ctx, () => (program === undefined ? save(ctx, resolve(to ?? '')) : run(program, args))),
  )
}

async function run(program: string, args: readonly string[]): Promise<void> {
  tell('object deletion paused')
  const child = spawn(program, args, { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new OperatorError(`backup failed: ${program} exited with code ${code}`)
}

/** The database first: every object that its rows name is then still in the store. */
async function save({ config, store, now }: Context, folder: string): Promise<void> {
  process.umask(0o077)
  await mkdir(folder, { recursive: true })
  const before = await findManifest(folder)
  const previous = before === undefined ? [] : await readObjectList(folder, before)
  const id = randomUUID()
  const made_at = now().toISOString()
  tell('saving the database …')
  const dump = `database-${id}.dump`
  await dumpDatabase(config['database.url'], join(folder, dump))
  tell('saving the objects …')
  const backup = await openObjectStore({ driver: 'disk', folder: objectsFolder(folder) })
  const saved = await saveObjects(store, backup, previous)
  const list = await writeObjectList(folder, `objects-${id}.jsonl`, saved)
  const object_bytes = saved.reduce((sum, { bytes }) => sum + bytes, 0)
  const database = await describeFile(folder, dump)
  const objects = { ...list, count: saved.length, object_bytes }
  await writeManifest(folder, { format: FORMAT, version: VERSION, made_at, database, objects })
  await dropOthers(backup, saved)
  await backup.close()
  for (const it of before === undefined ? [] : [before.database, before.objects])
    await rm(join(folder, it.file), { force: true })
  tell(
    `saved ${saved.length} objects (${object_bytes} bytes) and a database dump of ${database.bytes} bytes to ${folder}; ` +
      'keep secrets.keys elsewhere: they are not part of it',
  )
}
