/** Pages contain no business rules: they reach slices and git only through operations. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const IMPORT = /^(?:import|export) (?!type )[^']*'(#(?:domains|git|events|slices|jobs)\b[^']*)'/gm

test('pages import only types from slices and git', async () => {
  const found: string[] = []
  for await (const file of glob('src/web/**/*.ts')) {
    if (file.endsWith('.test.ts')) continue
    for (const [, door] of (await readFile(file, 'utf8')).matchAll(IMPORT)) found.push(`${file}: ${door}`)
  }
  assert.deepEqual(found, [])
})
