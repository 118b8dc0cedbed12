/** Languages and licences of the default branch, detected by concurrent workers. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { deliverTo } from '#events/deliver'
import { must } from '#platform/must'
import type { HeldJob } from '#platform/queue'
import { startForge } from '#testing'
import { contentsConsumers } from '../consumers.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
await forge.person('ann')

const ofRefs = must(
  contentsConsumers.find(({ name }) => name === 'languages-of-refs'),
  'the consumer of pushes',
)

/** Delivers a push to a worker that has read the branch but not yet written when `meanwhile` runs. */
async function deliverSlowly(meanwhile: () => Promise<unknown>): Promise<void> {
  const slow = {
    ...ofRefs,
    async prepare(...asked: Parameters<NonNullable<typeof ofRefs.prepare>>) {
      const found = await ofRefs.prepare?.(...asked)
      await meanwhile()
      return found
    },
  }
  await deliverTo(forge.ctx, new Map([[slow.name, slow]]), await takeLastPush())
}

test('a worker that read an older commit does not overwrite the findings of a newer one', async () => {
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

test('deleting a repository while a worker detects its languages causes no error', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'gone', auto_init: true, license: 'MIT' })
  await forge.runJobs()
  await assert.doesNotReject(
    deliverSlowly(() => forge.db.deleteFrom('repository').where('name', '=', 'gone').execute()),
  )
})

/** The last push as a job held by a worker, to be delivered again. */
async function takeLastPush(): Promise<HeldJob> {
  const { rows } = await sql<HeldJob>`insert into job (kind, attempts_max, worker, held_at, payload)
    select 'deliver-to', 1, 'slow', now(), json_build_object('event_id', max(id), 'consumers', json_build_array(${ofRefs.name}::text))
    from event where subject = 'refs.moved'
    returning id, worker, kind, payload, is_serial, group_key, traceparent, false as may_have_more`.execute(
    forge.db,
  )
  return must(rows[0], 'there was a push')
}
