/** Pages check abilities in one way, and never the `permissions` of a repository record, which are about code only. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

test('pages decide by abilities, not by the permissions field of REST records', async () => {
  const files = await Array.fromAsync(glob('src/web/{pages,parts,scoped}/**/*.ts'))
  const others: string[] = []
  // `words.permissions` are texts, not decisions.
  for (const file of files)
    if (!file.endsWith('.test.ts') && /(?<!words)\.permissions\b/.test(await readFile(file, 'utf8')))
      others.push(file)
  assert.deepEqual(others, [])
})
