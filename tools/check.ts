/**
 * All of CI behind `npm run check`: style, types, import rules, dead code, migrations; then tests on PostgreSQL 15, and
 * recordings and query plan tests on 18; attacks; third-party clients. Starts what it needs and stops it.
 */
import { rmSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../src/cli/postgres.ts'
import { command, output } from './command.ts'
import { describeMissing, thisMachine } from './missing.ts'
import { findPostgres18 } from './postgres-18.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })

/** Grows with the schema, not with the number of requests. */
const STATEMENTS_MAX = 1_500

/** All recorded exchanges, which run nearly every statement. */
const CONFORMANCE = 'test/conformance/conformance.test.ts'
/** These repeat the administrator's requests as other callers; `npm run prove:operations` runs all three. */
const OTHER_CALLERS = ['somebody', 'nobody'].map((who) => `test/schemathesis/${who}.test.ts`)
const ABOUT_THE_DATABASE = ['events', 'jobs', 'platform', 'platform/db'].map(
  (part) => `src/${part}/*.test.ts`,
)
/** This check of `git-http` depends on whether git compresses a request, which varies with the commit's timestamp. */
const HANGS_ON_THE_SECOND = 'its request body was gzip-compressed'
/** Marks tests of query plans. */
const LOOKS_AT_PLANS = 'assertIndexed('

const TIMEOUT = '--test-timeout=900000'
/**
 * Order of the tests that start nodes: browser tests first, which measure time and run while only two others do; then
 * the slowest.
 */
const FIRST = [
  'web/pages',
  'web/speed',
  'web/long-log',
  'web/',
  'attacks',
  'chaos/chaos',
  'schemathesis',
  'audit/',
  'hostile/',
  'faults/',
  'import/',
  'protections/',
  'restarts/',
  'backup/',
]
const GROUP = 20
const SLOWEST = 20
/** Characters shown of a failed file's output. */
const SHOWN_MAX = 4_000
/** Hooks and mocks in one file of a process would apply to all its files, and so would measurements of the process. */
const KEEPS_TO_ITSELF =
  /\b(?:beforeEach|afterEach|mock\.method|memoryUsage|process\.on)\(|process\.env\.\w+ =/

/** A task that runs beside others; its output is printed in one piece. */
interface Piece {
  readonly name: string
  readonly run: (hear: Hear) => Promise<void>
}
type Hear = (text: string) => void

/** Each uses one processor most of the time, so all run at once, before the tests. */
const STATIC: readonly Piece[] = [
  { name: 'types', run: types },
  { name: 'format and lint', run: (hear) => command('biome', ['ci', '--colors=off', '.'], {}, hear) },
  { name: 'arrows', run: (hear) => command('node', ['tools/arrows.ts'], {}, hear) },
  { name: 'dead code', run: (hear) => command('node', ['tools/dead-code.ts'], {}, hear) },
  { name: 'migrations', run: migrations },
  { name: 'specification', run: (hear) => command('node', ['tools/specification.ts', '--check'], {}, hear) },
]

/** With `--only`: the matching static checks, or else the matching tests. */
const WANTED = STATIC.filter(({ name }) => name.includes(values.only ?? ''))
const WANTS_TESTS = values.only === undefined || WANTED.length === 0

/** Sums the summary lines of all `node --test` runs and their durations. */
class Sum {
  readonly #counts = new Map<string, number>()
  readonly #runs: { readonly name: string; readonly seconds: number }[] = []

  add(name: string, seconds: number, said: string): void {
    this.#runs.push({ name, seconds })
    for (const [, name = '', count] of said.matchAll(/^ℹ (tests|pass|fail|cancelled|skipped|todo) (\d+)$/gm))
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + Number(count))
  }

  tell(): void {
    const slowest = this.#runs.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST)
    console.log('── the slowest')
    for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(0).padStart(5)} s  ${name}`)
    for (const [name, count] of this.#counts) console.log(`ℹ ${name} ${count}`)
  }
}

const missing = describeMissing(await thisMachine(), WANTS_TESTS)
for (const line of missing) console.error(line)
if (missing.length > 0) process.exit(1)

/** Compile cache shared by all processes. */
const compiled = await mkdtemp(join(tmpdir(), 'bloomery-compiled-'))
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }))
/** Loading takes half of the processor time of short tests. */
const LOADING = {
  NODE_COMPILE_CACHE: compiled,
  NODE_OPTIONS:
    `${process.env.NODE_OPTIONS ?? ''} --import=${import.meta.resolve('#platform/resolve-imports')}`.trim(),
}

const startedAt = performance.now()
await together(...WANTED.map((piece) => runAll([[piece]])))
console.log(`── static checks: ${seconds(startedAt)} s`)
if (WANTS_TESTS) await tests()
console.log(`── all of it: ${seconds(startedAt)} s`)

/** Waits for all, even if one fails. */
async function together(...works: readonly Promise<void>[]): Promise<void> {
  const done = await Promise.allSettled(works)
  const failed = done.flatMap((it) => (it.status === 'rejected' ? [(it.reason as Error).message] : []))
  if (failed.length > 0) throw new Error(failed.join('\n'))
}

/**
 * Recordings, plan tests and tests of the database layer run on 18 only, to save minutes. Schemathesis calls every
 * operation on 15 as well, and all other tests of slices run there.
 */
async function tests(): Promise<void> {
  const of18 = [...(await Array.fromAsync(glob(ABOUT_THE_DATABASE))), ...(await lookingAtPlans())]
  const rest = await Array.fromAsync(glob('src/**/*.test.ts', { exclude: of18 }))
  const blackBox = await Array.fromAsync(
    glob('test/**/*.test.ts', { exclude: [CONFORMANCE, ...OTHER_CALLERS] }),
  )
  const [groups, groupsOn18] = await Promise.all([grouped(rest.sort()), grouped(of18)])
  const bin = await findPostgres18()
  await withServer('PostgreSQL 15', undefined, (on15) =>
    withServer('PostgreSQL 18', bin, async (on18) => {
      const own = [on18([CONFORMANCE]), ...groups.map(on15), ...groupsOn18.map(on18)].filter(isWanted)
      const around = [attacks(), acceptance(), ...blackBox.map((file) => on15([file]))]
      const waiting = around.filter(isWanted).sort(byPlace)
      if (own.length + waiting.length === 0) throw new Error(`there is nothing called ${values.only}`)
      const sum = new Sum()
      const worker = (...lists: [Piece[], Piece[]]) => runAll(lists, sum)
      // Tests that start and kill nodes use both processors, so only one of them runs at a time beside the others.
      const all = together(worker(waiting, own), worker(own, waiting), worker(own, waiting))
      await all.finally(() => sum.tell())
    }),
  )
}

/** Only attacks marked for CI; `npm run attacks` runs all. */
function attacks(): Piece {
  return {
    name: 'attacks',
    run: (hear) => command('node', ['test/attacks/run.ts', '--ci', '--times'], LOADING, hear),
  }
}

/** Only clients that every machine has; retried once if nothing but `HANGS_ON_THE_SECOND` failed. */
function acceptance(): Piece {
  const accept = (hear: Hear) =>
    command('node', ['tools/acceptance.ts', 'git-http', 'git-ssh'], LOADING, hear)
  return {
    name: 'acceptance',
    run: async (hear) => {
      let said = ''
      const first = accept((text) => {
        said += text
        hear(text)
      })
      await first.catch((error: Error) => {
        const failed = [...said.matchAll(/^ {4}not ok - (.*)$/gm)].map(([, check]) => check)
        if (failed.join() !== HANGS_ON_THE_SECOND) throw error
        return accept(hear)
      })
    },
  }
}

function isWanted({ name }: Piece): boolean {
  return name.includes(values.only ?? '')
}

function byPlace(one: Piece, other: Piece): number {
  const place = ({ name }: Piece) => {
    const found = FIRST.findIndex((part) => name.includes(part))
    return found === -1 ? FIRST.length : found
  }
  return place(one) - place(other) || one.name.localeCompare(other.name)
}

async function lookingAtPlans(): Promise<string[]> {
  const files = await Array.fromAsync(glob('src/domains/**/*.test.ts'))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const plans = files.filter((_, i) => texts[i]?.includes(LOOKS_AT_PLANS))
  if (plans.length === 0) throw new Error('there are no tests that look at plans')
  return plans.sort()
}

async function types(hear: Hear): Promise<void> {
  // Two packages provide `tsc`; the old one is there only for other tools.
  const version = await output('tsc', ['--version'])
  if (!version.startsWith('Version 7')) throw new Error(`tsc is ${version.trim()}, not 7`)
  await command('tsc', ['-p', '.'], {}, hear)
  // Browser code has its own type environment.
  for (const folder of ['src/web/assets', 'test/web']) await command('tsc', ['-p', folder], {}, hear)
}

async function migrations(hear: Hear): Promise<void> {
  const files = await Array.fromAsync(glob('migrations/*.sql'))
  if (files.length === 0) throw new Error('there are no migrations to lint')
  await command('squawk', ['--config', 'tools/lint/squawk.toml', ...files.sort()], {}, hear)
}

/** Distinct statements that all tests prepared. A connection keeps a hundred of them. */
async function countStatements(folder: string): Promise<void> {
  const texts = new Set<string>()
  for await (const file of glob(join(folder, '*.jsonl')))
    for (const line of (await readFile(file, 'utf8')).split('\n')) if (line !== '') texts.add(line)
  console.log(`${texts.size} texts of at most ${STATEMENTS_MAX}`)
  if (values.only !== undefined) return
  if (texts.size === 0 || texts.size > STATEMENTS_MAX)
    throw new Error(`${texts.size} texts are prepared: is one of them written anew for every call?`)
}

/**
 * One server for the whole run; each test file copies its own database. `bin`: folder of the PostgreSQL programs, if
 * not the default.
 */
async function withServer(
  title: string,
  bin: string | undefined,
  run: (on: (files: readonly string[]) => Piece) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join('/dev/shm', 'bloomery-check-')).catch(() =>
    mkdtemp(join(tmpdir(), 'bloomery-')),
  )
  const statements = await mkdtemp(join(tmpdir(), 'bloomery-statements-'))
  const server = await startPostgres({ folder, isDurable: false, isStill: true, ...(bin ? { bin } : {}) })
  const environment = {
    TEST_POSTGRES: server.url('postgres'),
    ...(bin ? { TEST_POSTGRES_BIN: bin } : {}),
    TEST_STATEMENTS: statements,
    ...LOADING,
  }
  try {
    await run((files) => {
      const isolation = files.length === 1 ? [] : ['--test-isolation=none']
      return {
        name: `${title}: ${files.join(' ')}`,
        run: (hear) => command('node', ['--test', ...isolation, TIMEOUT, ...files], environment, hear),
      }
    })
    await countStatements(statements)
  } finally {
    await server.stop()
    await rm(statements, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }
}

/** Test files that do not change their process share one, because loading the code takes longer than most tests. */
async function grouped(files: readonly string[]): Promise<string[][]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const isAlone = (_: string, i: number) => KEEPS_TO_ITSELF.test(texts[i] ?? '')
  const shared = files.filter((file, i) => !isAlone(file, i))
  const groups = files.filter(isAlone).map((file) => [file])
  for (let i = 0; i < shared.length; i += GROUP) groups.push(shared.slice(i, i + GROUP))
  return groups
}

/** Takes tasks from the first list, then from the others, until none is left; repeats all failures at the end. */
async function runAll(lists: readonly Piece[][], sum?: Sum): Promise<void> {
  const failed: string[] = []
  const next = () => lists.find((list) => list.length > 0)?.shift()
  for (let piece = next(); piece !== undefined; piece = next()) {
    const { name, run } = piece
    const began = performance.now()
    let said = ''
    const hear: Hear = (text) => {
      said += text
    }
    await run(hear).catch(({ message }: Error) => failed.push(`${name}: ${message}\n${whatFailed(said)}`))
    sum?.add(name, (performance.now() - began) / 1000, said)
    console.log(`── ${name}: ${seconds(began)} s\n${said}`)
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join('\n')}`)
}

/** The end of the test output, which describes each failure. */
function whatFailed(said: string): string {
  const at = said.indexOf('failing tests:')
  return said.slice(at === -1 ? -SHOWN_MAX : at).slice(0, SHOWN_MAX)
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
