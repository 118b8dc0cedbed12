/** The recorded behaviour of the reference, held against a forge started as a user would start it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TriedForge, tryForge } from '../try-forge.ts'
import { play } from './play.ts'
import { STOPS, WAITING } from './waiting.ts'

let forge: TriedForge
before(async () => {
  const { TEST_POSTGRES_BIN: bin } = process.env
  forge = await tryForge(bin ? ['--postgres', bin] : [])
})
after(() => forge[Symbol.asyncDispose]())

for (const [scenario, waits] of Object.entries(WAITING)) {
  test(`${scenario} is as recorded`, async () => {
    const { steps, missed, broken } = await play(scenario, forge)
    const different = steps.filter(({ differences }) => differences.length > 0)
    const unexpected = different.filter(({ step }) => !(step in waits))
    assert.deepEqual(unexpected, [], 'these steps differ')
    const late = new Set(different.map(({ step }) => step))
    assert.deepEqual(
      Object.keys(waits).filter((step) => !late.has(step)),
      [],
      'these steps wait no more: take them off the list',
    )
    const stop = STOPS[scenario]
    assert.equal(broken === undefined, stop === undefined, broken ?? 'it stops no more: take it off the list')
    assert.equal(missed, stop?.missed ?? 0)
  })
}
