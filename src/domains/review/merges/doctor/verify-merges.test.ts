/** The doctor verifies stored merges and finds rows that were tampered with. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { makeRepository, merge, propose, tipOf, write } from '#testing/slices/merges'
import { verifyMerges } from './verify-merges.ts'

let forge: Forge
let root: string
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  root = await makeRepository(forge, 'one', [])
  for (const Do of ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only']) {
    const number = await propose(forge, root, Do)
    assert.equal((await merge(forge, 'ann', root, number, { Do })).status, 200)
  }
})
after(() => forge[Symbol.asyncDispose]())

const look = async () => {
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .executeTakeFirstOrThrow()
  return verifyMerges(forge.ctx, storage_id)
}

test('merges in every style verify, also after later commits to the base', async () => {
  await write(forge, root, 'main', { path: 'later.md' })
  assert.deepEqual(await look(), { merges: 5, findings: [] })
})

const first = () =>
  forge.db.selectFrom('pull_merge').selectAll().orderBy('issue_id').executeTakeFirstOrThrow()
for (const [column, value, fault] of [
  ['tree', 'b'.repeat(40), /whose tree is/],
  ['merge_commit', 'b'.repeat(40), /is missing/],
  ['head_oid', 'b'.repeat(40), /cannot be read/],
  ['base_oid', 'head', /not what git merges|not built upon/],
] as const)
  test(`a changed ${column} in pull_merge is found`, async () => {
    const row = await first()
    const tampered = value === 'head' ? await tipOf(forge, root) : value
    const set = (to: string) =>
      forge.db
        .updateTable('pull_merge')
        .set({ [column]: to })
        .where('issue_id', '=', row.issue_id)
        .execute()
    await set(tampered)
    const { findings } = await look()
    await set(row[column])
    assert.equal(findings.length, 1)
    assert.match(findings[0]?.fault ?? '', fault)
    assert.equal(findings[0]?.about, 'merge of pull request 1')
  })

test('a base branch that lost a merge commit is found', async () => {
  const row = await first()
  await forge.call('ann', 'PUT', `${root}/branches/main`, { new_commit_id: row.base_oid, force: true })
  const { findings } = await look()
  assert.equal(findings.length, 5)
  assert.match(findings[0]?.fault ?? '', /is not in main/)
})
