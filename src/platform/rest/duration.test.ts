/** Lengths of time as clients write them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from './duration.ts'

const READ: readonly [string, number | undefined][] = [
  ['8h0m0s', 28_800],
  ['10m', 600],
  ['1.5h', 5_400],
  ['0', 0],
  ['1s', 1],
  ['500ms', 0],
  ['', undefined],
  ['soon', undefined],
  ['-1h', undefined],
  ['8', undefined],
  ['8h!', undefined],
  [`${'9'.repeat(30)}h`, undefined],
]
for (const [text, seconds] of READ)
  test(`«${text.slice(0, 10)}» is ${seconds} seconds`, () => assert.equal(parseDuration(text), seconds))

for (const [seconds, text] of [
  [28_800, '8h0m0s'],
  [86_400, '24h0m0s'],
  [600, '10m0s'],
  [0, '0s'],
  [3_661, '1h1m1s'],
] as const)
  test(`${seconds} seconds are written ${text}`, () => assert.equal(formatDuration(seconds), text))
