/**
 * `npm run prove:growth`: whether what is asked costs the same however much there is. A forge is filled by SQL, small and
 * then large; each time every GET of the contract, every page and every cron task is asked, and PostgreSQL tells how many
 * pages of tables and indexes each statement read. docs/growth.md explains the table.
 *
 *   GROWTH_SIZES=10000,300000 GROWTH_FEEDS=10 npm run prove:growth
 *
 * GROWTH_FOLDER is where the database is, and where what was read is written down as JSON: a size that has such a file is
 * not walked again. GROWTH_HOLD_S is for how many seconds the database stays afterwards.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnPostgres, startPostgres } from '#cli'
import { openPool } from '#platform/pool'
import { compare, isFlat, type Walk } from './compare.ts'
import { EXPLAINING } from './costs.ts'
import type { Sizes } from './rows.ts'

const SIZES = (process.env.GROWTH_SIZES ?? '10000,1000000').split(',').map(Number)
const TIMEOUT_MS = 20_000
const FEEDS = Number(process.env.GROWTH_FEEDS ?? 100)

const given = process.env.GROWTH_FOLDER
const folder = given ?? (await mkdtemp(join(tmpdir(), 'bloomery-growth-')))
await mkdir(join(folder, 'postgres'), { recursive: true })
const walks: Walk[] = []
{
  const server = await startPostgres({ folder: join(folder, 'postgres'), isDurable: false, isStill: true })
  await using _ = { [Symbol.asyncDispose]: () => server.stop() }
  await set(server, EXPLAINING.load)
  process.env.TEST_POSTGRES = server.url('postgres')
  for (const repositories of SIZES)
    walks.push(await walkAt(server, { repositories, issues: 10, packs: 10, feeds: FEEDS }))
}
const [small = {}, large = {}] = walks
const grown = compare(small, large)
process.stdout.write(
  '| who | what | pages small | pages large | worst statement | from end to end |\n|-|-|-|-|-|-|\n',
)
for (const it of grown.filter((it) => !isFlat(it)))
  process.stdout.write(
    `| ${it.who} | ${it.what} | ${it.small} | ${it.large} | ${it.textSmall} → ${it.textLarge} | ${it.scans.join(', ')} |\n`,
  )
process.stdout.write(`${grown.filter(isFlat).length} of ${grown.length} are flat\n`)
if (given === undefined) await rm(folder, { recursive: true })

async function walkAt(server: OwnPostgres, sizes: Sizes): Promise<Walk> {
  const kept = join(folder, `${sizes.repositories}.json`)
  const known = await readFile(kept, 'utf8').catch(() => undefined)
  if (known !== undefined) return JSON.parse(known) as Walk
  await set(server, EXPLAINING.hush)
  // Only now, because it looks for the server when it is loaded.
  const { walkForge } = await import('./forge.ts')
  return walkForge(sizes, {
    explain: () => set(server, EXPLAINING.tell),
    async keep(walk) {
      if (given !== undefined) await writeFile(kept, JSON.stringify(walk))
    },
  })
}

async function set(server: OwnPostgres, settings: readonly string[]): Promise<void> {
  const pool = openPool({
    url: server.url('postgres'),
    poolMax: 1,
    connectTimeoutMs: TIMEOUT_MS,
    statementTimeoutMs: TIMEOUT_MS,
  })
  try {
    for (const setting of settings) await pool.query(`alter system set ${setting}`)
    await pool.query('select pg_reload_conf()')
  } finally {
    await pool.end()
  }
}
