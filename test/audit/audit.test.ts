/**
 * The API specification, checked demand by demand by a strict client over HTTP, git and SSH. Every demand is met or is on
 * the list of decided deviations; `npm run audit` checks the same on three nodes.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TriedForge, tryForge } from '../try-forge.ts'
import { readDemands } from './demands.ts'
import { GROUPS, playGroup } from './groups.ts'
import { findDeviations, findIdle, findOddRefusals, findRepeated, findUnrecorded } from './held.ts'
import type { Audit } from './kit/audit.ts'
import type { Site } from './kit/client.ts'

/** Most groups wait for something now and then. */
const GROUPS_AT_ONCE = 3
/** Reads lists of the whole instance, which other groups would change between two pages. */
const ALONE = 'admin'

let forge: TriedForge
let site: Site
const audits: Audit[] = []

before(async () => {
  forge = await tryForge(['--set', 'outbound.allow_private=true'])
  site = { bases: [forge.url], admin: forge.admin, password: forge.password }
})
after(() => forge?.[Symbol.asyncDispose]())

async function hold(name: string): Promise<void> {
  const audit = await playGroup(site, name)
  audits.push(audit)
  const deviations = findDeviations(audit.questions)
  assert.deepEqual(deviations, [], `${deviations.length} of ${audit.questions.length} deviate`)
}

test('the forge meets the specification: admin', () => hold(ALONE))

describe('the forge meets the specification', { concurrency: GROUPS_AT_ONCE }, () => {
  for (const name of Object.keys(GROUPS)) if (name !== ALONE) test(name, () => hold(name))
})

test('every decided deviation still deviates, and every demand is checked once', () => {
  const questions = audits.flatMap((it) => it.questions)
  assert.deepEqual(findIdle(questions), [])
  assert.deepEqual(findRepeated(questions), [])
})

test('the recorded demands are those that were checked (npm run audit -- --record)', () => {
  assert.deepEqual(
    findUnrecorded(
      audits.flatMap((it) => it.questions),
      readDemands(),
    ),
    [],
  )
})

test('operations refuse only with statuses that the specification lists for them', () => {
  assert.deepEqual(findOddRefusals(audits.flatMap((it) => [...it.client.statuses])), [])
})
