/** Limits of owners: the owner's own, or that of the settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '#platform/config'
import { isFull, isOver, limitOf } from './decide.ts'

const config = { 'quota.git_bytes': 100, 'quota.log_bytes': -1 } as Config

for (const [kind, own, limit] of [
  ['git', null, 100],
  ['git', 7, 7],
  ['git', 0, 0],
  ['git', -1, -1],
  ['logs', null, -1],
  ['logs', 5, 5],
] as const)
  test(`the limit of ${kind} with ${own} as the owner’s own is ${limit}`, () => {
    assert.equal(limitOf(config, kind, own), limit)
  })

for (const [bytes, added, limit, isRefused] of [
  [100, 1, 100, false],
  [101, 1, 100, true],
  [1, 1, 0, true],
  [200, -1, 100, false],
  [200, 0, 100, false],
  [200, 200, -1, false],
] as const)
  test(`${bytes} bytes after ${added} more with a limit of ${limit} are ${isRefused ? 'refused' : 'taken'}`, () => {
    assert.equal(isOver({ bytes, added, limit }), isRefused)
  })

test('storage is full at its limit, and never without one', () => {
  assert.equal(isFull(config, 'git', 99, null), false)
  assert.equal(isFull(config, 'git', 100, null), true)
  assert.equal(isFull(config, 'git', 0, 0), true)
  assert.equal(isFull(config, 'logs', 1e12, null), false)
})
