/** A forge on a fresh database behind a real port. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  consumers as allConsumers,
  routes as allRoutes,
  tasks as allTasks,
  identity,
  jobs,
  openWorld,
} from '#cli'
import type { Consumer } from '#events/consumer'
import { buildApp } from '#http'
import { type Config, loadConfig } from '#platform/config'
import type { World } from '#platform/context'
import type { CronTask } from '#platform/cron'
import type { OutboundClient } from '#platform/outbound'
import type { Route } from '#platform/rest'
import { createDatabase } from './database.ts'
import { assertAnswer } from './exact.ts'
import { Forge } from './forge.ts'
import { Statements } from './statements.ts'

export { Forge, type Reply } from './forge.ts'
export { GitClient } from './git-client.ts'
export { hold, whenGitStarts, whenOpened } from './hold.ts'
export { assertIndexed } from './plans.ts'

export interface ForgeOptions {
  readonly config?: Partial<Config>
  readonly routes?: readonly Route[]
  readonly consumers?: readonly Consumer[]
  readonly tasks?: readonly CronTask[]
  /** In place of the one that the configuration asks for: closed by whoever opened it. */
  readonly outbound?: OutboundClient
}

/** The clock of a test starts at this second and moves only when the test moves it. */
const START = Date.parse('2026-01-01T00:00:00Z')
const LISTENING = { host: '127.0.0.1', port: 0 }

export async function startForge(options: ForgeOptions = {}): Promise<Forge> {
  const database = await createDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-store-'))
  const clock = { ms: START }
  const queries: string[] = []
  const statements = new Statements()
  const work = {
    consumers: [...allConsumers, ...(options.consumers ?? [])],
    tasks: [...allTasks, ...(options.tasks ?? [])],
    jobs,
  }
  const open = await openWorld(testConfig(database.url, folder, options.config), {
    listening: LISTENING,
    consumers: work.consumers,
    now: () => new Date(clock.ms),
    onQuery(sql) {
      queries.push(sql)
      statements.note(sql)
    },
  })
  const world: World = { ...open.world, ...(options.outbound && { outbound: options.outbound }) }
  const app = buildApp({
    world,
    identity,
    routes: [...allRoutes, ...(options.routes ?? [])],
    onAnswer: assertAnswer,
    isReady: async () => undefined,
  })
  statements.watch(app.server)
  const base = await app.listen(LISTENING)
  const dispose = async () => {
    await app.close()
    await statements.write()
    await open.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  return new Forge({ base, world, pool: open.database.pool, work, clock, queries, dispose })
}

function testConfig(url: string, folder: string, config: Partial<Config> = {}): Config {
  const overrides = {
    'http.url': 'http://forge.test',
    'database.url': url,
    'store.folder': join(folder, 'objects'),
    'git.cache_folder': join(folder, 'cache'),
    'secrets.keys': randomBytes(32).toString('hex'),
    'password.length_min': 6,
    'log.level': 'error' as const,
    ...config,
  }
  return loadConfig({ environment: {}, overrides }).values
}
