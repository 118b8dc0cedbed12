/** A forge on a fresh database behind a real port. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { slices as allSlices, loadConfig, openWorld, workOf } from '#cli'
import { buildApp } from '#http'
import type { Config } from '#platform/config'
import type { World } from '#platform/context'
import type { OutboundClient } from '#platform/outbound'
import { defineSlice, type Slice } from '#slices'
import { web, webRoutes } from '#web'
import { createDatabase } from './database.ts'
import { assertAnswer } from './exact.ts'
import { Forge } from './forge.ts'
import { Statements } from './statements.ts'

export { makeCertificate } from './certificate.ts'
export { Forge, type Reply } from './forge.ts'
export { GitClient } from './git-client.ts'
export { hold, whenGitStarts, whenOpened } from './hold.ts'
export { insertMany } from './insert-many.ts'
export { type Mail, MailServer, type MailServerOptions } from './mail-server.ts'
export { movesOf } from './moves.ts'
export { assertQuick, until, untilIdle, waitForLock } from './pace.ts'
export { assertIndexed } from './plans.ts'

/** Includes routes, jobs and so on of the test's own slice. */
export interface ForgeOptions extends Partial<Omit<Slice, 'name'>> {
  readonly config?: Partial<Config>
  /** In place of the configured one; closed by the caller. */
  readonly outbound?: OutboundClient
  /** How many nodes share the database and the store, 1 by default; `call` goes to each in turn. */
  readonly nodes?: number
  /** A slice to leave out, replaced by that of the test. */
  readonly without?: string
  /** Whether answers are validated against the contract: always, except where performance is measured. */
  readonly checksAnswers?: boolean
}

/** The clock of a test starts here and moves only when the test moves it. */
const START = Date.parse('2026-01-01T00:00:00Z')
const LISTENING = { host: '127.0.0.1', port: 0 }

export async function startForge(options: ForgeOptions = {}): Promise<Forge> {
  const database = await createDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-store-'))
  const clock = { ms: START }
  const queries: string[] = []
  const statements = new Statements()
  const others = allSlices.filter(({ name }) => name !== options.without)
  const slices = [...others, defineSlice({ ...options, name: 'test' })]
  const startNode = async (number: number) => {
    const config = testConfig(database.url, folder, slices, {
      'git.cache_folder': join(folder, `cache-${number}`),
      ...options.config,
    })
    const open = await openWorld(config, {
      listening: LISTENING,
      slices,
      now: () => new Date(clock.ms),
      onQuery(sql) {
        // A timer saves these counts, whatever the test does meanwhile.
        if (!sql.includes('client_use')) queries.push(sql)
        statements.note(sql)
      },
    })
    const world: World = { ...open.world, ...(options.outbound && { outbound: options.outbound }) }
    const app = buildApp({
      world,
      routes: slices.flatMap((it) => it.routes),
      internalOperations: slices.flatMap((it) => it.internalOperations),
      rawRoutes: [...slices.flatMap((it) => it.rawRoutes), ...webRoutes],
      web,
      ...(options.checksAnswers !== false && { onAnswer: assertAnswer }),
      isReady: async () => undefined,
    })
    statements.watch(app.server)
    return { app, open, world, base: await app.listen(LISTENING) }
  }
  const first = await startNode(0)
  const nodes = [first]
  for (let number = 1; number < (options.nodes ?? 1); number++) nodes.push(await startNode(number))
  const dispose = async () => {
    for (const { app } of nodes) await app.close()
    await statements.write()
    for (const { open } of nodes) await open.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  const bases = nodes.map(({ base }) => base)
  const { world } = first
  const { pool } = first.open.database
  return new Forge({ bases, world, pool, work: workOf(slices), clock, queries, dispose })
}

function testConfig(
  url: string,
  folder: string,
  slices: readonly Slice[],
  config: Partial<Config> = {},
): Config {
  const overrides = {
    'http.url': 'http://forge.test',
    'database.url': url,
    // The machine may be busy.
    'database.connect_timeout_ms': 60_000,
    'store.folder': join(folder, 'objects'),
    'secrets.keys': randomBytes(32).toString('hex'),
    'password.length_min': 6,
    'log.level': 'error' as const,
    'operations.port': 0,
    // The clock of a test stands still.
    'issues.strangers_hourly_max': 1_000_000,
    ...config,
  }
  return loadConfig({ slices, environment: {}, overrides }).values
}
