/** Rules about the source tree that no linter checks. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { slices as manifests } from '#cli'
import { consumersOf } from '#slices'
import { areas, folders, slices } from '../architecture.ts'

const DECLARES = /interface Tables \{\n([\s\S]*?)\n {2}\}/g
const WRITES = [
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\('(\w+)/g,
  /\b(?:insert into|update|delete from) (\w+)/g,
]
const READS = [/\.(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin)\('(\w+)/g, /\b(?:from|join) (\w+)/g]

const EMITS = /\bemit\(\s*ctx,\s*([^{]+?),\s/g
const SUBJECT = /(?<=')\w+\.\w+(?=')/g

/** Files whose comments are checked, the pattern of comments, and the pattern of file names in them. */
const NAMING = /\.(?:md|ts|mjs|sql|sh)$/
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|^\s*#.*|--.*/gm
const NAMED = /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs|sql|sh|toml|ya?ml|jsonc?|md))`/g
/** Files of operators, which are not in the tree. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'bloomery.toml',
  'manifest.json',
  'export.json',
  'repositories/NAME/repository.json',
  'CHANGES.md',
])

const files = await readSources()
const owners = new Map<string, string>()
for (const { slice, text } of files)
  for (const [, body] of text.matchAll(DECLARES))
    for (const [, table] of (body ?? '').matchAll(/^\s*(\w+):/gm)) owners.set(table ?? '', slice)

test('the patterns match enough tables and uses', () => {
  assert.ok(owners.size > 15, `only ${owners.size} tables found`)
  assert.ok(uses(WRITES).length > 20)
  assert.ok(uses(READS).length > 20)
})

test('a table is written only by the slice that declares it', () => {
  assert.deepEqual(
    uses(WRITES).filter(({ table, slice }) => owners.get(table) !== slice),
    [],
  )
})

test('a table is read only by its slice and by slices with an arrow to it', () => {
  const strangers = uses(READS).filter(({ table, slice }) => {
    const owner = owners.get(table) ?? ''
    return owner !== slice && !(slices[slice] ?? []).includes(owner)
  })
  assert.deepEqual(strangers, [])
})

test('every arrow is used, by an import or by reading a table', () => {
  const reads = uses(READS)
  const isUsed = (from: string, to: string) =>
    files.some(({ slice, text }) => slice === from && text.includes(`'#domains/${folders[to]}'`)) ||
    reads.some(({ slice, table }) => slice === from && owners.get(table) === to)
  const unused = Object.entries(slices).flatMap(([from, arrows]) =>
    arrows.filter((to) => !isUsed(from, to)).map((to) => `${from} → ${to}`),
  )
  assert.deepEqual(unused, [])
})

test('an arrow points to the same area or a lower one', () => {
  const floor = new Map(
    Object.values(areas).flatMap((names, number) => Object.keys(names).map((it) => [it, number])),
  )
  const upwards = Object.entries(slices).flatMap(([from, arrows]) =>
    arrows
      .filter((to) => (floor.get(to) ?? Infinity) > (floor.get(from) ?? 0))
      .map((to) => `${from} → ${to}`),
  )
  assert.deepEqual(upwards, [])
})

test('the manifest of a slice lists exactly its tables', () => {
  for (const { name, tables } of manifests)
    assert.deepEqual(
      [...tables].sort(),
      [...owners.keys()].filter((it) => owners.get(it) === name).sort(),
      name,
    )
})

test('the manifest of a slice lists what it emits, and every handled event is emitted', () => {
  const emitted = (name: string) =>
    files
      .filter(({ slice }) => slice === name)
      .flatMap(({ text }) =>
        [...code(text).matchAll(EMITS)].flatMap(([, said]) => said?.match(SUBJECT) ?? []),
      )
  for (const { name, emits } of manifests)
    assert.deepEqual([...emits].sort(), [...new Set(emitted(name))].sort(), name)
  const all = new Set<string>(manifests.flatMap(({ emits }) => emits))
  assert.ok(all.size > 20)
  const heard = [...manifests.flatMap(({ handlers }) => handlers), ...consumersOf(manifests)]
  assert.deepEqual(
    heard.filter(({ subject }) => !all.has(subject)),
    [],
  )
})

test('every served slice has a folder, and folders without a manifest own no tables', () => {
  const names = manifests.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name) => !(name in slices)),
    [],
  )
  const others = new Set(Object.keys(slices).filter((name) => !names.includes(name)))
  assert.deepEqual(
    [...owners.values()].filter((slice) => others.has(slice)),
    [],
  )
})

test('every file named in a document or comment exists', async () => {
  const { stdout } = await promisify(execFile)('git', ['ls-files'])
  const tracked = stdout.split('\n').filter((path) => path !== '')
  const names = new Map(tracked.map((path) => [path, path.split('/')]))
  const isThere = (name: string) => {
    const parts = name.split('/')
    return [...names.values()].some((path) => path.slice(-parts.length).join('/') === name)
  }
  const missing: string[] = []
  let named = 0
  for (const path of tracked.filter((it) => NAMING.test(it))) {
    const text = await readFile(path, 'utf8').catch(() => '')
    const said = path.endsWith('.md') ? text : (text.match(COMMENT) ?? []).join('\n')
    for (const [, name = ''] of said.matchAll(NAMED)) {
      named += 1
      if (!isThere(name) && !ELSEWHERE.has(name)) missing.push(`${path}: ${name}`)
    }
  }
  assert.ok(named > 150, `only ${named} files are named`)
  assert.deepEqual(missing, [])
})

test('every answer to "Where would I change" names paths that exist', async () => {
  const [, table = ''] = (await readFile('ARCHITECTURE.md', 'utf8')).split('## Where would I change …\n')
  const rows = table.split('\n## ')[0]?.match(/^\| (?!behaviour)[^-].*$/gm) ?? []
  assert.ok(rows.length > 40, `only ${rows.length} rows found`)
  for (const row of rows) {
    const paths = [...row.matchAll(/`((?:src|migrations|docs)\b[\w./-]*)`/g)].map(([, path = '']) => path)
    assert.ok(paths.length > 0, `no path: ${row}`)
    for (const path of paths) assert.ok(existsSync(path), `${path} does not exist`)
  }
})

test('the tables of the migrations are exactly the declared tables', async () => {
  const made = new Set<string>()
  for (const path of (await Array.fromAsync(glob('migrations/*.sql'))).sort()) {
    const text = await readFile(path, 'utf8')
    for (const [, table] of text.matchAll(/create table (\w+)/g)) made.add(table ?? '')
    for (const [, table] of text.matchAll(/drop table (\w+)/g)) made.delete(table ?? '')
  }
  assert.deepEqual([...made].sort(), [...owners.keys()].sort())
})

test('every promise that is not awaited has an error handler', async () => {
  const careless: string[] = []
  for await (const path of glob('src/**/*.ts')) {
    if (/\.test\.ts$|\/testing/.test(path)) continue
    const lines = (await readFile(path, 'utf8')).split('\n')
    careless.push(...lines.filter(isCareless).map((line) => `${path}: ${line.trim()}`))
  }
  assert.deepEqual(careless, [])
  for (const line of [
    'void settle(ctx)',
    'for (const it of all) void it.ended.then(tell)',
    'setTimeout(() => void forget(), 1)',
    'const again = () => void start()',
  ])
    assert.ok(isCareless(line), line)
  for (const line of [
    'once(): void {',
    'Promise<void> {',
    '() => void all.delete(it)',
    '() => void it().catch(tell)',
    '=> void',
    '* void ',
  ])
    assert.ok(!isCareless(line), line)
})

test('state of a running node is kept in its World, not in module variables', async () => {
  const kept: string[] = []
  for await (const path of glob('src/**/*.ts')) {
    if (/\.test\.ts$|\/testing|^src\/web\/assets\//.test(path)) continue
    const lines = (await readFile(path, 'utf8')).split('\n')
    if (lines.some(isKept)) kept.push(path)
  }
  assert.deepEqual(kept.sort(), Object.keys(OUTSIDE_WORLDS).sort())
  for (const line of [
    'const kept = new Map<string, number>()',
    'export const lines = new WeakMap<object, string>()',
    'const known: Known = new LRUCache({ max: 1 })',
    'let made: Assets | undefined',
  ])
    assert.ok(isKept(line), line)
  for (const line of [
    "const NAMES: ReadonlySet<string> = new Set(['a'])",
    'const KINDS = new Map<string, Check>([',
    'const BY_ID = new Statement((db: Db, { id }: { id: number }) =>',
    "const FOLDER = new URL('files/', import.meta.url)",
    '  const kept = new Map<string, number>()',
  ])
    assert.ok(!isKept(line), line)
})

/** Writes whole tables under the ids of another instance (ADR 91). */
const MOVE_IN = 'move-in'

/** Ignores names after `from` that are no declared tables (aliases, other schemas). */
function uses(patterns: readonly RegExp[]): { table: string; slice: string; path: string }[] {
  return files
    .flatMap(({ path, slice, text }) =>
      patterns.flatMap((pattern) =>
        [...code(text).matchAll(pattern)].map(([, table]) => ({ table: table ?? '', slice, path })),
      ),
    )
    .filter(({ table, slice }) => owners.has(table) && slice !== MOVE_IN)
}

function code(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

async function readSources(): Promise<{ path: string; slice: string; text: string }[]> {
  const sources: { path: string; slice: string; text: string }[] = []
  for await (const path of glob('src/{domains,events,git,jobs,platform,move-in}/**/*.ts')) {
    if (path.endsWith('.test.ts')) continue
    const slice = path.match(/^src\/(?:domains\/[^/]+\/)?([^/]+)\//)?.[1] ?? path
    sources.push({ path, slice, text: await readFile(path, 'utf8') })
  }
  return sources
}

/** Allowed module state, with the reason why nodes in one process can share it. */
const OUTSIDE_WORLDS: Readonly<Record<string, string>> = {
  'src/domains/code/contents/languages/licenses.ts': 'files of ours, read once',
  'src/domains/sign-in/sources/saml/flow.ts': 'a thread',
  'src/domains/work/issue-templates/read-file.ts': 'a thread, and what it makes of a text',
  'src/domains/instance/markup/render.ts': 'a thread, and what it makes of a text',
  'src/domains/work/notifications/mail/send-mail.ts': 'what is made of a text',
  'src/domains/actions/runs/logs/hide-secrets.ts': 'a thread',
  'src/domains/instance/templates/gitignores.ts': 'files of ours, read once',
  'src/domains/people/quotas/count.ts': 'goes by the transaction',
  'src/domains/people/users/sign-in/old/old-hashes.ts': 'a thread',
  'src/domains/people/users/sign-in/passwords.ts': 'what is made of a hash and a password',
  'src/domains/actions/workflows/ask.ts': 'a thread',
  'src/domains/actions/workflows/language/expressions.ts': 'goes by an object that one plan has',
  'src/events/index.ts': 'goes by the transaction',
  'src/http/input/read-body.ts': 'goes by a schema of ours',
  'src/jobs/heartbeat-thread.ts': 'is a thread, of one worker',
  'src/platform/config/index.ts': 'goes by the configuration',
  'src/platform/context.ts': 'goes by the transaction',
  'src/platform/outbound/read-json.ts': 'a thread',
  'src/platform/page/language.ts': 'goes by the request',
  'src/platform/runtime/resolve-imports.ts': 'goes by the text of an import',
  'src/platform/runtime/tracing.ts': 'goes by the call',
  'src/web/assets.ts': 'files of ours, read once',
  'src/platform/db/prepared.ts': 'what is made of a text',
  'src/web/diff/cache.ts': 'what is made of two texts',
  'src/web/diff/words.ts': 'scratch that is used within one call',
  'src/web/diff/myers.ts': 'scratch that is used within one call',
  'src/web/highlight/index.ts': 'a thread',
  'src/web/highlight/tokens.ts': 'files of others, read once',
}

/** Constants: collections with initial values, and these classes. */
const CONSTANT =
  /= new (?:(?:Set|Map)(?:<.*>)?\((?!\))|(?:URL|RegExp|Problem|(?:Paged)?Statement|Intl\.\w+)\()/

function isKept(line: string): boolean {
  return /^(?:export )?(?:let |const \w+[^=]*= new )/.test(line) && !CONSTANT.test(line)
}

/**
 * The linter accepts a voided promise as handled, but its rejection ends the process; background work must use `aside` of
 * platform/log. These forms are synchronous, or handle the rejection.
 */
const HARMLESS = /\.catch\(|\.then\(\w+, \w+\)|^[\w.]+\.(?:add|delete|destroy|push|set|clear|end)\(/

function isCareless(line: string): boolean {
  const [, voided] = /^(?!\s*(?:\*|\/\/)).*\bvoid (?!\(await )([\w(].*)/.exec(line) ?? []
  return voided !== undefined && !HARMLESS.test(voided)
}
