/** Scores of the file finder. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

const island = new URL('../../../assets/islands/finder.ts', import.meta.url).href
const { score } = (await import(island)) as { score: (path: string, asked: string) => number }

const best = (asked: string, paths: readonly string[]) =>
  [...paths].sort((a, b) => score(b, asked) - score(a, asked))[0]

test('letters match in order, and a path that lacks one does not match', () => {
  assert.ok(score('src/main.ts', 'smts') > 0)
  assert.equal(score('src/main.ts', 'xs'), -1)
  assert.ok(score('SRC/Main.ts', 'main') > 0)
})

test('file names, word beginnings and consecutive letters score higher', () => {
  assert.equal(best('main', ['domain/list.ts', 'src/main.ts', 'm/a/i/n.ts']), 'src/main.ts')
  assert.equal(best('pf', ['src/web/pages/code/files/place.ts', 'src/page-files.ts']), 'src/page-files.ts')
  assert.equal(best('readme', ['docs/readme.md', 'readme.md']), 'readme.md')
})
