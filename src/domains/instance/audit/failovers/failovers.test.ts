/** After a failover nodes tell which of the operations that they acknowledged are lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startForge, until } from '#testing'
import { readFailovers } from './reports.ts'

const EVER = new Date(0)

test('a lost operation is told by its name, its author and its path; those that are there are not', async () => {
  await using forge = await startForge({ config: { 'log.level': 'silent' } })
  await forge.person('ann')
  for (const name of ['kept', 'lost']) {
    assert.equal((await forge.call('ann', 'POST', '/user/repos', { name })).status, 201)
    assert.equal((await forge.call('ann', 'POST', `/repos/ann/${name}/issues`, { title: name })).status, 201)
  }
  await sql`delete from audit_record where target like '%lost%'`.execute(forge.db)
  const { store, timeline } = forge.world
  timeline.see('0000002A')
  await until(async () => (await readFailovers(store, EVER)).length === 1)
  const [report] = await readFailovers(store, EVER)
  assert.equal(report?.after, '0000002A')
  assert.equal(report.lost, 1)
  assert.ok(report.acknowledged >= 4, `${report.acknowledged} operations were remembered`)
  const [{ operation, account, target } = {}] = report.operations
  assert.deepEqual(
    [operation, account, JSON.parse(target ?? '')],
    ['issueCreateIssue', 'ann', { owner: 'ann', repo: 'lost' }],
  )
  // What followed belongs to the new timeline.
  timeline.see('0000002B')
  await until(async () => (await readFailovers(store, EVER)).length === 2)
  const next = (await readFailovers(store, EVER)).find(({ after }) => after === '0000002B')
  assert.equal(next?.lost, 0)
})
