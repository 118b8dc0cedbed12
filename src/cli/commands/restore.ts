/** `bloomery restore`: fills an empty database and an empty store from the folder of a backup. */
import { join, resolve } from 'node:path'
import type { Config } from '#platform/config'
import { openDb } from '#platform/db'
import { checkIdentity } from '#platform/identity'
import { type ObjectStore, openObjectStore } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import type { Pool } from '#platform/pool'
import { findForeign, restoreObjects } from '../archive/copy-objects.ts'
import { restoreDatabase } from '../archive/dump.ts'
import { assertIntact, findManifest, objectsFolder, readObjectList } from '../archive/manifest.ts'
import { loadConfig } from '../load-config.ts'
import { sealOf } from '../open-world.ts'
import { tell } from '../say.ts'
import { withDatabase, withStore } from '../with-world.ts'

export async function restore(file: string | undefined, from: string): Promise<void> {
  const config = loadConfig(file === undefined ? {} : { file }).values
  const folder = resolve(from)
  await withStore(config, (store) => withDatabase(config, (pool) => fill(config, folder, store, pool), 2))
}

/** Objects first, so that a failure leaves the database empty and the command can be repeated. */
async function fill(config: Config, folder: string, store: ObjectStore, pool: Pool): Promise<void> {
  const manifest = await findManifest(folder)
  if (manifest === undefined) throw new OperatorError(`${folder} has no backup: manifest.json is missing`)
  const { database, objects } = manifest
  tell(`backup of ${manifest.made_at}: ${objects.count} objects, ${objects.object_bytes} bytes`)
  await assertIntact(folder, database)
  await assertIntact(folder, objects)
  const saved = await readObjectList(folder, manifest)
  await assertEmpty(pool)
  const foreign = await findForeign(store, saved)
  if (foreign !== undefined)
    throw new OperatorError(
      `the store has the object ${foreign.key}, which is not in the backup: set store.* to an empty store`,
    )
  tell('restoring the objects …')
  const backup = await openObjectStore({ driver: 'disk', folder: objectsFolder(folder) })
  await restoreObjects(backup, store, saved)
  await backup.close()
  tell('restoring the database …')
  await restoreDatabase(config['database.url'], join(folder, database.file))
  await checkIdentity({ db: openDb(pool, { preparedMax: 0 }), store, seal: sealOf(config) })
  tell('restored; verify the repositories with «bloomery doctor repository --all» before you start nodes')
}

async function assertEmpty(pool: Pool): Promise<void> {
  const { rows } = await pool.query(`select 1 from pg_tables where schemaname = 'public' limit 1`)
  if (rows.length > 0)
    throw new OperatorError('the database has tables: create an empty one and set database.url to it')
}
