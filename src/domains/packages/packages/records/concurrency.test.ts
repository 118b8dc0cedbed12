/** Concurrency: of uploads of the same file one wins, and the others leave nothing behind. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { assertNothingLost, bytesOf, objectsOf, send } from '#testing/slices/packages'
import { cleanupPackages } from '../sweep.ts'

const AT_ONCE = 8

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

const at = (path: string) => `/api/packages/ann/generic/${path}`
const times = <T>(work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, i) => work(i)))

test('of concurrent uploads of one file one wins, and its bytes are kept', async () => {
  for (let round = 0; round < 5; round++) {
    const bodies = Array.from({ length: AT_ONCE }, () => bytesOf(5_000))
    const path = at(`race/${round}/a.bin`)
    const answers = await times((i) => send(forge, 'ann', 'PUT', path, { body: bodies[i] as Buffer }))
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [201, ...Array(AT_ONCE - 1).fill(409)])
    const { bytes } = await send(forge, null, 'GET', path)
    assert.ok(bytes.equals(bodies[statuses.indexOf(201)] as Buffer))
  }
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
  assert.equal((await objectsOf(forge)).length, 5)
})

test('concurrent uploads of equal content store one object', async () => {
  const before = (await objectsOf(forge)).length
  const body = bytesOf(5_000)
  const answers = await times((i) => send(forge, 'ann', 'PUT', at(`same/${i}/a.bin`), { body }))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(AT_ONCE).fill(201),
  )
  await forge.deleteDiscarded()
  assert.equal((await objectsOf(forge)).length, before + 1)
  await assertNothingLost(forge)
})

test('content that is deleted and uploaded concurrently is never lost', async () => {
  const body = bytesOf(3_000)
  for (let round = 0; round < 10; round++) {
    await send(forge, 'ann', 'PUT', at(`churn/old-${round}/a.bin`), { body })
    forge.advance(25 * 3_600_000)
    const [gone, made] = await Promise.all([
      forge.call('ann', 'DELETE', `/packages/ann/generic/churn/old-${round}`),
      send(forge, 'ann', 'PUT', at(`churn/new-${round}/a.bin`), { body }),
      cleanupPackages(forge.ctx),
    ])
    assert.deepEqual([gone.status, made.status], [204, 201])
    await forge.deleteDiscarded()
    const got = await send(forge, null, 'GET', at(`churn/new-${round}/a.bin`))
    assert.equal(got.status, 200)
    assert.ok(got.bytes.equals(body))
    await forge.call('ann', 'DELETE', `/packages/ann/generic/churn/new-${round}`)
  }
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
})

test('a user who loses access during an upload does not publish', async () => {
  await forge.person('bob')
  await forge.call('ann', 'POST', '/orgs', { username: 'club' })
  const facts = { name: 'w', permission: 'read', units_map: { 'repo.packages': 'write' } }
  const { body: team } = await forge.call('ann', 'POST', '/orgs/club/teams', facts)
  await forge.call('ann', 'PUT', `/teams/${team.id}/members/bob`)
  const taken = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async start(sent) {
      sent.enqueue(Buffer.from('first'))
      await taken.promise
      sent.enqueue(Buffer.from('last'))
      sent.close()
    },
  })
  const sending = fetch(`${forge.base}/api/packages/club/generic/late/1/a`, {
    method: 'PUT',
    headers: { authorization: `token ${forge.tokenOf('bob')}` },
    body,
    duplex: 'half',
  } as RequestInit)
  assert.equal((await forge.call('ann', 'DELETE', `/teams/${team.id}/members/bob`)).status, 204)
  taken.resolve()
  assert.ok([401, 409].includes((await sending).status))
  assert.equal((await forge.call('ann', 'GET', '/packages/club')).body.length, 0)
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
})
