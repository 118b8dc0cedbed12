/**
 * P1 for imports: three nodes, and the importing one is killed with -9 at each point. The repository then exists
 * completely or not at all; another node restarts the import itself; and a user who does not want to wait can request it
 * again at once.
 *
 * IMPORT_OBJECTS=360000 is the full length; without it a bounded run.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ChaosForge } from '../chaos/chaos-forge.ts'
import { Dice } from '../chaos/dice.ts'
import { findOrphans } from '../chaos/evidence.ts'
import { ImportCase, type KillPoint } from './import-case.ts'
import { makeSource } from './make-source.ts'
import { Source } from './source.ts'

const OBJECTS = Number(process.env.IMPORT_OBJECTS ?? 20_000)
/** For the many points that do not depend on the size. */
const FEW_OBJECTS = 1_000

let forge: ChaosForge
let large: Source
let small: Source
before(async () => {
  forge = await ChaosForge.open(new Dice(OBJECTS))
  large = await Source.open(await makeSource(forge.folder, 'large.git', OBJECTS))
  small = await Source.open(await makeSource(forge.folder, 'small.git', FEW_OBJECTS))
})
after(async () => {
  await large?.[Symbol.asyncDispose]()
  await small?.[Symbol.asyncDispose]()
  await forge?.[Symbol.asyncDispose]()
})

for (const point of ['before-fetch', 'half-upload'] as const)
  test(`killed ${point}: nothing exists, and a new request imports everything`, async () => {
    await askAgain(small, `again-${point}`, point)
  })

test('killed before-commit: nothing exists, and another node imports everything', async () => {
  await waitForAnother(small, 'other', 'before-commit')
})

test('killed after-commit: everything exists, and the name is taken', async () => {
  const attempt = await ImportCase.start(forge, small, 'landed')
  await attempt.killAt('after-commit')
  assert.equal((await attempt.ask()).status, 409)
  await attempt.assertWhole()
  await attempt.end()
})

test(`${OBJECTS} objects, killed in the middle: another node imports all of them`, async () => {
  await waitForAnother(large, 'large-other', 'half-fetch')
})

test(`${OBJECTS} objects, killed in the middle: a new request imports all of them`, async () => {
  await askAgain(large, 'large-again', 'half-fetch')
})

test('every import has ended, and no process works for a killed node', async () => {
  const open = await forge.db
    .selectFrom('import')
    .select(['name_key', 'state'])
    .where('ended_at', 'is', null)
    .execute()
  assert.deepEqual(open, [])
  await forge.stopNodes()
  assert.deepEqual(await findOrphans(forge), [])
})

async function askAgain(source: Source, name: string, point: KillPoint): Promise<void> {
  const attempt = await ImportCase.start(forge, source, name)
  await attempt.killAt(point)
  await attempt.assertNothing()
  const asked = attempt.ask()
  // There is never more than one import in progress: when the second is recorded, the first has ended.
  await attempt.until('it is asked again', async () => (await attempt.readImports()).length === 2)
  source.letGo()
  assert.equal((await asked).status, 201)
  await attempt.assertWhole()
  assert.notEqual((await attempt.first)?.status, 201, 'whoever asked first is not told that it was theirs')
  await attempt.end()
}

async function waitForAnother(source: Source, name: string, point: KillPoint): Promise<void> {
  const attempt = await ImportCase.start(forge, source, name)
  const victim = await attempt.killAt(point)
  await attempt.assertNothing()
  const second = await attempt.untilMaking()
  assert.notEqual(second, victim)
  await attempt.assertNothing()
  source.letGo()
  await attempt.until('it is done', async () => (await attempt.readImports())[0]?.state === 'done')
  const [landed] = await attempt.readImports()
  assert.ok(landed && landed.attempts > 1)
  await attempt.assertWhole()
  const first = await attempt.first
  assert.equal(first?.status, victim === attempt.asked ? undefined : 201, 'whoever waited is told')
  await attempt.end()
}
