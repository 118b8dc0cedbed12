/** Settings of a node or a command that works on the database and the store of a test's forge. */
import { join } from 'node:path'
import type { Config } from '#platform/config'
import type { World } from '#platform/context'
import { findFreePorts } from '../cli/free-ports.ts'

export function sharedSettings({ config }: World) {
  return {
    'database.url': config['database.url'],
    'store.folder': config['store.folder'],
    'secrets.keys': config['secrets.keys'],
  } satisfies Partial<Config>
}

/** For a node; `folder` is for its cache. */
export async function settingsBeside(world: World, folder: string): Promise<Partial<Config>> {
  return {
    ...sharedSettings(world),
    'http.host': '127.0.0.1',
    'http.port': await findFreePorts(1),
    'git.cache_folder': join(folder, 'cache'),
    'log.level': 'error',
  }
}
