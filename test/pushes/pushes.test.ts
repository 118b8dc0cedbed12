/** Runs the measurement of pushes for some seconds: all succeed, their effects are there, and every figure is a number. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { RatedForge } from '../queue-rate/rated-forge.ts'
import { measurePushes } from './rate.ts'

test('two clients push to two repositories, and what a push costs is counted', async () => {
  const port = await findFreePorts(1)
  const settings = [`operations.port=${port}`]
  await using forge = await RatedForge.open({ nodes: 1, store: 'disk', settings })
  const options = { repositories: 2, pushers: 2, rate: 240, seconds: 2, ports: [port], statisticsMs: 1_500 }
  const { figures, statements } = await measurePushes(forge, options)
  for (const [name, value] of Object.entries(figures))
    assert.ok(Number.isFinite(value) && value >= 0, `${name} is ${value}`)
  assert.ok((figures.pushes ?? 0) > 1, 'too few pushes')
  assert.equal(figures['pushes that failed'], 0)
  assert.equal(figures['jobs left'], 0)
  assert.ok((figures['store: create a push'] ?? 0) > 0, 'no push stored a pack')
  assert.ok((figures['git processes a push'] ?? 0) > 0, 'no push started git')
  assert.ok((figures['webhooks a push'] ?? 0) > 0, 'no webhook was sent')
  assert.ok(statements.some(({ calls }) => calls >= 1) || statements.length === 0)
})
