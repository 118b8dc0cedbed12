/**
 * The specification of the interface, asked question by question by a strict client over HTTP, git and SSH. Every question is met
 * or stands on the list of decided deviations; `npm run audit` asks the same of three nodes.
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
/** Asks for lists of the whole instance, which other groups would change between two pages. */
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

test('the forge does what the specification demands: admin', () => hold(ALONE))

describe('the forge does what the specification demands', { concurrency: GROUPS_AT_ONCE }, () => {
  for (const name of Object.keys(GROUPS)) if (name !== ALONE) test(name, () => hold(name))
})

test('every decided deviation still deviates, and every question is asked once', () => {
  const questions = audits.flatMap((it) => it.questions)
  assert.deepEqual(findIdle(questions), [])
  assert.deepEqual(findRepeated(questions), [])
})

test('the recorded demands are those that were asked (npm run audit -- --record)', () => {
  assert.deepEqual(
    findUnrecorded(
      audits.flatMap((it) => it.questions),
      readDemands(),
    ),
    [],
  )
})

test('operations refuse only with kinds that the specification lists for them', () => {
  assert.deepEqual(findOddRefusals(audits.flatMap((it) => [...it.client.statuses])), [])
})
