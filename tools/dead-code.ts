/**
 * Finds dead code: exports that nothing uses, or only tests. `knip` counts tests as users, so it runs a second time
 * without them. Exports that wait for their user are listed here.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const FOR_TESTS = 'tests and tools use it'
const PULLS = 'pull requests will use it'

/** Names of exports, and why they may be unused. */
const WAITING: Readonly<Record<string, string>> = {
  startPostgres: FOR_TESTS,
  startS3Server: FOR_TESTS,
  isWorthPreparing: FOR_TESTS,
  openApiDocument: FOR_TESTS,
  clientOf: FOR_TESTS,
  typescriptOf: FOR_TESTS,
  web: FOR_TESTS,
  validatorOf: FOR_TESTS,
  runJobsOnce: FOR_TESTS,
  compare: PULLS,
  countDistance: PULLS,
  routes: FOR_TESTS,
  rawRoutes: FOR_TESTS,
  internalOperations: FOR_TESTS,
  startSession: FOR_TESTS,
}

interface Found {
  readonly issues: readonly {
    readonly file: string
    readonly exports: readonly { readonly name: string; readonly line: number }[]
    readonly files: readonly unknown[]
  }[]
}

await run([])
const { issues } = JSON.parse(
  await run([
    '--production',
    '--config',
    'tools/lint/knip.production.json',
    '--include',
    'files,exports',
    '--reporter',
    'json',
  ]),
) as Found
const own = issues.filter(({ file }) => !file.startsWith('src/testing/'))
const dead = own.flatMap(({ file, exports, files }) => [
  ...(files.length > 0 ? [`${file}: no file that is run imports it`] : []),
  ...exports
    .filter(({ name }) => WAITING[name] === undefined)
    .map(({ name, line }) => `${file}:${line}: ${name} has no user but tests`),
])
const found = new Set(own.flatMap(({ exports }) => exports.map(({ name }) => name)))
const settled = Object.keys(WAITING).filter((name) => !found.has(name))
for (const line of [
  ...dead,
  ...settled.map((name) => `${name} has a user: it is to leave the list in tools/dead-code.ts`),
])
  console.error(line)
if (dead.length + settled.length > 0) process.exitCode = 1

/** The output of knip; with findings it exits with 1, and the report has the details. */
async function run(args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('knip', [...args], { maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (code === 1 && args.includes('json')) return stdout
    throw new Error(`knip ${args.join(' ')}: ${stdout}${stderr}`)
  }
}
