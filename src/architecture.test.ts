/** Rules about the tree itself that no linter knows. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { slices } from '../architecture.ts'

const DECLARES = /interface Tables \{\n([\s\S]*?)\n {2}\}/g
const WRITES = [
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\('(\w+)/g,
  /\b(?:insert into|update|delete from) (\w+)/g,
]
const READS = [/\.(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin)\('(\w+)/g, /\b(?:from|join) (\w+)/g]

const files = await readSources()
const owners = new Map<string, string>()
for (const { slice, text } of files)
  for (const [, body] of text.matchAll(DECLARES))
    for (const [, table] of (body ?? '').matchAll(/^\s*(\w+):/gm)) owners.set(table ?? '', slice)

test('the patterns still find something', () => {
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

test('every table of the migrations is declared, and every declared table is in the migrations', async () => {
  const made = new Set<string>()
  for await (const path of glob('migrations/*.sql'))
    for (const [, table] of (await readFile(path, 'utf8')).matchAll(/create table (\w+)/g))
      made.add(table ?? '')
  assert.deepEqual([...made].sort(), [...owners.keys()].sort())
})

/** Words after `from` that are no table of ours (aliases, other schemas) are nobody's business. */
function uses(patterns: readonly RegExp[]): { table: string; slice: string; path: string }[] {
  return files
    .flatMap(({ path, slice, text }) =>
      patterns.flatMap((pattern) =>
        [...code(text).matchAll(pattern)].map(([, table]) => ({ table: table ?? '', slice, path })),
      ),
    )
    .filter(({ table }) => owners.has(table))
}

function code(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

async function readSources(): Promise<{ path: string; slice: string; text: string }[]> {
  const sources: { path: string; slice: string; text: string }[] = []
  for await (const path of glob('src/{domains/*,events,git,jobs,platform}/**/*.ts')) {
    if (path.endsWith('.test.ts')) continue
    const slice = path.match(/^src\/(?:domains\/)?([^/]+)\//)?.[1] ?? path
    sources.push({ path, slice, text: await readFile(path, 'utf8') })
  }
  return sources
}
