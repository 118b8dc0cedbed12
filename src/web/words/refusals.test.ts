/** Messages that people meet at sign-in are in the language of the page. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import * as de from './de/refusals.ts'
import * as en from './en/refusals.ts'
import * as fr from './fr/refusals.ts'

const REFUSAL = /(?:\binvalid\(|\bforbidden\(|\bProblem\('unavailable',)\s*(['`])((?:(?!\1).)+)\1/g
/** For operators at the command line. */
const NOT_ON_PAGES = /^settings(?:: | are not JSON)/

test('every refusal of an authentication source is translated', async () => {
  const messages = new Set<string>()
  for await (const file of glob('src/domains/sign-in/sources/**/*.ts', { exclude: ['**/*.test.ts'] }))
    for (const [, , message = ''] of (await readFile(file, 'utf8')).matchAll(REFUSAL)) messages.add(message)
  const named = [...messages].filter((it) => !NOT_ON_PAGES.test(it))
  assert.ok(named.length >= 25, `only ${named.length} refusals were found`)
  for (const { refusalWords } of [en, de, fr]) {
    const known = Object.keys(refusalWords)
    // A constant in the text stands for its number.
    const isKnown = (message: string) => {
      const [start = '', end = ''] = message.split(/\$\{\w+\}/)
      return known.some((it) =>
        message.includes('$') ? it.startsWith(start) && it.endsWith(end) : it === message,
      )
    }
    assert.deepEqual(
      named.filter((it) => !isKnown(it)),
      [],
    )
  }
})
