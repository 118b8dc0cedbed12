/** Languages and licences of the default branch, counted by several workers at once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deliver } from '#events/consumer'
import { must } from '#platform/must'
import { startForge } from '#testing'
import { contentsConsumers } from '../consumers.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
await forge.person('ann')

const ofRefs = must(
  contentsConsumers.find(({ name }) => name === 'languages-of-refs'),
  'the consumer of pushes',
)

/** Delivers a push to a worker that has read the branch, but not written yet, when `meanwhile` happens. */
async function deliverSlowly(meanwhile: () => Promise<unknown>): Promise<void> {
  const slow = {
    ...ofRefs,
    async prepare(...asked: Parameters<NonNullable<typeof ofRefs.prepare>>) {
      const found = await ofRefs.prepare?.(...asked)
      await meanwhile()
      return found
    },
  }
  await deliver(forge.ctx, slow, await forgetDelivery())
}

test('a worker that read an older commit does not overwrite what another found in a newer one', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'lang', auto_init: true, license: 'MIT' })
  await forge.runJobs()
  await deliverSlowly(async () => {
    const body = { content: btoa('package main\n'), message: 'Add a.go' }
    await forge.call('ann', 'POST', '/repos/ann/lang/contents/a.go', body)
    await forge.runJobs()
  })
  const { language, licenses } = (await forge.call('ann', 'GET', '/repos/ann/lang')).body
  assert.deepEqual([language, licenses], ['Go', ['MIT']])
  assert.deepEqual((await forge.call('ann', 'GET', '/repos/ann/lang/languages')).body, { Go: 13 })
})

test('a repository that is deleted while a worker counts its languages is no failure', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'gone', auto_init: true, license: 'MIT' })
  await forge.runJobs()
  await assert.doesNotReject(
    deliverSlowly(() => forge.db.deleteFrom('repository').where('name', '=', 'gone').execute()),
  )
})

/** The last push that this consumer has heard of, which can be delivered to it again. */
async function forgetDelivery(): Promise<number> {
  const heard = await forge.db
    .deleteFrom('event_consumed')
    .where('consumer', '=', ofRefs.name)
    .returning('event_id')
    .execute()
  return Math.max(...heard.map(({ event_id }) => event_id))
}
