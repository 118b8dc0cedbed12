/**
 * All of CI behind `npm run check`: style, types, arrows, dead code, migrations, then tests on PostgreSQL 15, the recordings
 * and whatever looks at plans on 18, attacks, and clients of others. Starts what it needs and ends it.
 */
import { rmSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../src/cli/postgres.ts'
import { command, output } from './command.ts'
import { findPostgres18 } from './postgres-18.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })

/** As many as the schema needs, not as many as there are requests. */
const STATEMENTS_MAX = 1_500

/** All recorded exchanges, which ask nearly every statement, and whatever else is about the database itself. */
const CONFORMANCE = 'test/conformance/conformance.test.ts'
/** Ask what an administrator asks as well, who may do more; `npm run prove:operations` has all three callers. */
const OTHER_CALLERS = ['somebody', 'nobody'].map((who) => `test/schemathesis/${who}.test.ts`)
const ABOUT_THE_DATABASE = ['events', 'jobs', 'platform', 'platform/db'].map(
  (part) => `src/${part}/*.test.ts`,
)
/** Whether git compresses the request that this check of `git-http` looks at hangs on the second in which git commits. */
const HANGS_ON_THE_SECOND = 'its request body was gzip-compressed'
/** What a test says that looks at plans. */
const LOOKS_AT_PLANS = 'assertIndexed('

const TIMEOUT = '--test-timeout=900000'
/** Of what starts nodes: browsers look at the clock and begin, while only two of the others run beside; then what takes long. */
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
]
const GROUP = 10
const SLOWEST = 20
/** Of what a file says that failed, in characters. */
const SHOWN_MAX = 4_000
/**
 * What is said before each test of a process is said before those of other files as well; whoever changes or measures the
 * process would do it for all of them.
 */
const KEEPS_TO_ITSELF =
  /\b(?:beforeEach|afterEach|mock\.method|memoryUsage|process\.on)\(|process\.env\.\w+ =/

interface Step {
  readonly name: string
  readonly run: () => Promise<void>
}

const STEPS: readonly Step[] = [
  { name: 'format and lint', run: () => command('biome', ['ci', '--colors=off', '.']) },
  { name: 'types, and arrows', run: () => together(types(), command('node', ['tools/arrows.ts'])) },
  { name: 'dead code', run: () => command('node', ['tools/dead-code.ts']) },
  { name: 'migrations', run: migrations },
  { name: 'specification', run: () => command('node', ['tools/specification.ts', '--check']) },
  { name: 'tests', run: tests },
]

/** With `--only`, some of them, or some pieces of the last one. */
const NAMED = STEPS.filter(({ name }) => name.includes(values.only ?? ''))

/** Of the closing lines of all runs of `node --test`, and how long each run took. */
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

/** Types are stripped once for all processes. */
const compiled = await mkdtemp(join(tmpdir(), 'bloomery-compiled-'))
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }))

const startedAt = performance.now()
for (const { name, run } of NAMED.length > 0 ? NAMED : STEPS.slice(-1)) {
  console.log(`── ${name}`)
  const began = performance.now()
  await run()
  console.log(`── ${name}: ${seconds(began)} s`)
}
console.log(`── all of it: ${seconds(startedAt)} s`)

/** One that fails does not leave the others behind. */
async function together(...works: readonly Promise<void>[]): Promise<void> {
  const done = await Promise.allSettled(works)
  const failed = done.flatMap((it) => (it.status === 'rejected' ? [(it.reason as Error).message] : []))
  if (failed.length > 0) throw new Error(failed.join('\n'))
}

/** Something to run beside others: what it says is heard in one piece. */
interface Piece {
  readonly name: string
  readonly run: (hear: (text: string) => void) => Promise<void>
}

/**
 * The recordings, what looks at plans and what is about the database itself run on 18 only: minutes that both servers need
 * not spend. Every operation is asked on 15 as well, by schemathesis, and whatever a slice does is done there.
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
      // What waits for nodes that start and die keeps both processors busy, one of it at a time beside the others.
      const all = together(worker(waiting, own), worker(own, waiting), worker(own, waiting))
      await all.finally(() => sum.tell())
    }),
  )
}

/** Those that are marked for CI; `npm run attacks` plays all of them. */
function attacks(): Piece {
  return {
    name: 'attacks',
    run: (hear) => command('node', ['test/attacks/run.ts', '--ci', '--times'], {}, hear),
  }
}

/** Of the clients of others, those that every machine has; once more when nothing else failed than what is up to git. */
function acceptance(): Piece {
  const accept = (hear: (text: string) => void) =>
    command('node', ['tools/acceptance.ts', 'git-http', 'git-ssh'], {}, hear)
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
  return NAMED.length > 0 || name.includes(values.only ?? '')
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

async function types(): Promise<void> {
  // Two packages claim the name `tsc`; the old one is there for tools only.
  const version = await output('tsc', ['--version'])
  if (!version.startsWith('Version 7')) throw new Error(`tsc is ${version.trim()}, not 7`)
  await command('tsc', ['-p', '.'])
  // What runs in browsers knows other things.
  for (const folder of ['src/web/assets', 'test/web']) await command('tsc', ['-p', folder])
}

async function migrations(): Promise<void> {
  const files = await Array.fromAsync(glob('migrations/*.sql'))
  if (files.length === 0) throw new Error('there are no migrations to lint')
  await command('squawk', ['--config', 'tools/lint/squawk.toml', ...files.sort()])
}

/** Texts that all tests together had prepared: a connection keeps a hundred, and uses few of all. */
async function countStatements(folder: string): Promise<void> {
  const texts = new Set<string>()
  for await (const file of glob(join(folder, '*.jsonl')))
    for (const line of (await readFile(file, 'utf8')).split('\n')) if (line !== '') texts.add(line)
  console.log(`${texts.size} texts of at most ${STATEMENTS_MAX}`)
  if (values.only !== undefined) return
  if (texts.size === 0 || texts.size > STATEMENTS_MAX)
    throw new Error(`${texts.size} texts are prepared: is one of them written anew for every call?`)
}

/** One server for the whole run; each test file copies a database of its own. `bin` has its programs, if not the newest. */
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
    NODE_COMPILE_CACHE: compiled,
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

/** Those that change nothing of their process share one: loading the code takes longer than most of them. */
async function grouped(files: readonly string[]): Promise<string[][]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const isAlone = (_: string, i: number) => KEEPS_TO_ITSELF.test(texts[i] ?? '')
  const shared = files.filter((file, i) => !isAlone(file, i))
  const groups = files.filter(isAlone).map((file) => [file])
  for (let i = 0; i < shared.length; i += GROUP) groups.push(shared.slice(i, i + GROUP))
  return groups
}

/** Takes pieces from the first list, then from the other, until none is left; what fails is told once more at the end. */
async function runAll(lists: readonly Piece[][], sum: Sum): Promise<void> {
  const failed: string[] = []
  const next = () => lists.find((list) => list.length > 0)?.shift()
  for (let piece = next(); piece !== undefined; piece = next()) {
    const { name, run } = piece
    const began = performance.now()
    let said = ''
    const hear = (text: string) => {
      said += text
    }
    await run(hear).catch(() => failed.push(`${name}\n${whatFailed(said)}`))
    sum.add(name, (performance.now() - began) / 1000, said)
    console.log(`── ${name}: ${seconds(began)} s\n${said}`)
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join('\n')}`)
}

/** The end of what a run of tests says, which tells of each that failed. */
function whatFailed(said: string): string {
  const at = said.indexOf('failing tests:')
  return said.slice(at === -1 ? -SHOWN_MAX : at).slice(0, SHOWN_MAX)
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
