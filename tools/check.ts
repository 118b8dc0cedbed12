/**
 * All of CI behind `npm run check`: style, types, arrows, dead code, migrations, then tests on PostgreSQL 15, and the
 * recordings and whatever looks at plans on 18, with attacks beside them. Starts what it needs and ends it.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../src/cli/postgres.ts'
import { findPostgres18 } from './postgres-18.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })

/** As many as the schema needs, not as many as there are requests. */
const STATEMENTS_MAX = 1_500

/** All recorded exchanges, which ask nearly every statement, and whatever else is about the database itself. */
const CONFORMANCE = 'test/conformance/conformance.test.ts'
const ABOUT_THE_DATABASE = ['events', 'jobs', 'platform', 'platform/db'].map(
  (part) => `src/${part}/*.test.ts`,
)
/** What a test says that looks at plans. */
const LOOKS_AT_PLANS = 'assertIndexed('

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
  { name: 'tests on PostgreSQL 15', run: testsOn15 },
  // Both wait more than they work: beside these tests, in which nobody looks at the clock, they cost half as much.
  {
    name: 'attacks, acceptance and tests on PostgreSQL 18',
    run: () => together(attacksAndAcceptance(), testsOn18()),
  },
]

/** Every test file is a process of its own: types are stripped once for all of them. */
const compiled = await mkdtemp(join(tmpdir(), 'bloomery-compiled-'))
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }))

const startedAt = performance.now()
for (const { name, run } of STEPS) {
  if (values.only !== undefined && !name.includes(values.only)) continue
  console.log(`── ${name}`)
  const began = performance.now()
  await run()
  console.log(`── ${name}: ${seconds(began)} s`)
}
console.log(`── all of it: ${seconds(startedAt)} s`)

/** One that fails does not leave the others behind. */
async function together(...works: readonly Promise<void>[]): Promise<void> {
  for (const done of await Promise.allSettled(works)) if (done.status === 'rejected') throw done.reason
}

/** Of the clients of others, those that every machine has. */
async function attacksAndAcceptance(): Promise<void> {
  await inOnePiece('attacks', (hear) =>
    command('node', ['../shared/attacks/run.ts', '--port', '21000'], {}, hear),
  )
  // Whether the client's git compresses a request, which one check asks, hangs on the second in which it commits: so twice.
  const accept = (hear: (text: string) => void) =>
    command('node', ['tools/acceptance.ts', 'git-http', 'git-ssh'], {}, hear)
  await inOnePiece('acceptance', (hear) => accept(hear).catch(() => accept(hear)))
}

/** So that what it says is not mixed with what runs beside it says. */
async function inOnePiece(name: string, run: (hear: (text: string) => void) => Promise<void>): Promise<void> {
  const began = performance.now()
  const said: string[] = []
  try {
    await run((text) => said.push(text))
  } finally {
    console.log(`── ${name}: ${seconds(began)} s\n${said.join('')}`)
  }
}

/**
 * The recordings, and what looks at plans, run on 18 only: minutes that both servers need not spend. Every operation is asked
 * on 15 as well, by schemathesis.
 */
async function testsOn15(): Promise<void> {
  const files = await Array.fromAsync(glob('src/**/*.test.ts'))
  const plans = new Set(await lookingAtPlans())
  const own = files.filter((file) => !plans.has(file)).sort()
  // These wait for nodes that start and die: one of them at a time, beside the others, keeps both processors busy.
  const blackBox = await Array.fromAsync(glob('test/**/*.test.ts', { exclude: [CONFORMANCE] }))
  await together(
    inOnePiece('black box', (hear) => tests(blackBox.sort(), { atOnce: 1, hear, isCounted: false })),
    tests(own),
  )
}

async function testsOn18(): Promise<void> {
  const files = [CONFORMANCE, ...ABOUT_THE_DATABASE, ...(await lookingAtPlans())]
  await tests(files, { bin: await findPostgres18() })
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
  if (texts.size === 0 || texts.size > STATEMENTS_MAX)
    throw new Error(`${texts.size} texts are prepared: is one of them written anew for every call?`)
}

interface TestOptions {
  /** The programs of a PostgreSQL; the newest that is installed where there is none. */
  readonly bin?: string
  readonly hear?: (text: string) => void
  readonly atOnce?: number
  readonly isCounted?: boolean
}

/** One server for the whole run; each test file copies a database of its own. */
async function tests(
  patterns: readonly string[],
  { bin, hear, atOnce = 2, isCounted = true }: TestOptions = {},
): Promise<void> {
  const folder = await mkdtemp(join('/dev/shm', 'bloomery-check-')).catch(() =>
    mkdtemp(join(tmpdir(), 'bloomery-')),
  )
  const statements = await mkdtemp(join(tmpdir(), 'bloomery-statements-'))
  const server = await startPostgres({ folder, isDurable: false, isStill: true, ...(bin ? { bin } : {}) })
  try {
    const args = ['--test', `--test-concurrency=${atOnce}`, '--test-timeout=900000', ...patterns]
    const environment = {
      TEST_POSTGRES: server.url('postgres'),
      ...(bin ? { TEST_POSTGRES_BIN: bin } : {}),
      TEST_STATEMENTS: statements,
      NODE_COMPILE_CACHE: compiled,
    }
    await command('node', args, environment, hear)
    if (isCounted) await countStatements(statements)
  } finally {
    await server.stop()
    await rm(statements, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }
}

function command(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  hear?: (text: string) => void,
): Promise<void> {
  const output = hear === undefined ? 'inherit' : 'pipe'
  const stdio = ['inherit', output, output] as const
  const child = spawn(program, args, { stdio: [...stdio], env: { ...process.env, ...environment } })
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => hear?.(text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`)),
    )
  })
}

function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(text))
  })
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
