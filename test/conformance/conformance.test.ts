/** Compares the recorded behaviour of the reference with a forge started as a user would start it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TriedForge, tryForge } from '../try-forge.ts'
import { DECIDED } from './decided.ts'
import { playScenario, SCENARIOS } from './scenarios.ts'

let forge: TriedForge
before(async () => {
  const { TEST_POSTGRES_BIN: bin } = process.env
  forge = await tryForge(bin ? ['--postgres', bin] : [])
})
after(() => forge[Symbol.asyncDispose]())

for (const scenario of SCENARIOS) {
  test(`${scenario} is as recorded`, async () => {
    const { steps, missed, broken } = await playScenario(scenario, forge)
    assert.equal(broken, undefined, 'the scenario stopped')
    assert.equal(missed, 0, 'the scenario reaches all recorded steps')
    const decided = DECIDED[scenario] ?? {}
    const different = steps.filter(({ differences }) => differences.length > 0)
    assert.deepEqual(
      different.filter(({ step }) => !(step in decided)),
      [],
      'these steps differ',
    )
    const names = new Set(different.map(({ step }) => step))
    assert.deepEqual(
      Object.keys(decided).filter((step) => !names.has(step)),
      [],
      'these steps differ no more: take them off the list',
    )
  })
}

test('every decided step belongs to a scenario', () => {
  assert.deepEqual(
    Object.keys(DECIDED).filter((scenario) => !SCENARIOS.includes(scenario)),
    [],
  )
})
