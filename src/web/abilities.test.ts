/** Pages ask what somebody may do in one way, and never the `permissions` of a record, which are about code alone. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

test('pages decide by abilities, and not by permissions of the interface', async () => {
  const files = await Array.fromAsync(glob('src/web/{pages,parts,scoped}/**/*.ts'))
  const others: string[] = []
  // Words for what teams are permitted are no decision.
  for (const file of files)
    if (!file.endsWith('.test.ts') && /(?<!words)\.permissions\b/.test(await readFile(file, 'utf8')))
      others.push(file)
  assert.deepEqual(others, [])
})
