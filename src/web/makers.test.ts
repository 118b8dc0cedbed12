/** The files that create markup from text without escaping; each has made the text safe before. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const MAKERS = [
  'src/web/diff/files.ts',
  'src/web/diff/suggested.ts',
  'src/web/highlight/index.ts',
  'src/web/markdown.ts',
]

test('only listed files mark markup as trusted', async () => {
  const files = await Array.fromAsync(glob('src/**/*.ts'))
  const makers: string[] = []
  for (const file of files) {
    if (file.startsWith('src/platform/page/') || file.endsWith('.test.ts')) continue
    if (/\btrusted\(/.test(await readFile(file, 'utf8'))) makers.push(file)
  }
  assert.deepEqual(makers.sort(), MAKERS)
})
