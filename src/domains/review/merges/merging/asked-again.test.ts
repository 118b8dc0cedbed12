/** Every condition of a merge is checked again in the transaction that moves the base, after the commit was built. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { inTheMidst, makeRepository, merge, propose, show, tipOf, write } from '#testing/slices/merges'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

const protect = (root: string, rule: object) =>
  forge.call('ann', 'POST', `${root}/branch_protections`, { rule_name: 'main', ...rule })
const rewrite = (root: string, rule: object) =>
  forge.call('ann', 'PATCH', `${root}/branch_protections/main`, rule)
const say = async (root: string, number: number, state: string) => {
  const { head } = await show(forge, root, number)
  const said = await forge.call('ann', 'POST', `${root}/statuses/${head.sha}`, { context: 'check', state })
  assert.equal(said.status, 201)
}

type Change = (root: string, number: number) => Promise<unknown>
const NOTHING: Change = async () => undefined
const CHANGES: readonly [what: string, status: number, change: Change, prepare?: Change][] = [
  ['nothing', 200, NOTHING],
  [
    'the merger loses the right to write',
    409,
    (root) => forge.call('ann', 'PUT', `${root}/collaborators/wes`, { permission: 'read' }),
  ],
  [
    'it is closed',
    404,
    (root, number) => forge.call('ann', 'PATCH', `${root}/pulls/${number}`, { state: 'closed' }),
  ],
  [
    'it becomes a draft',
    405,
    (root, number) => forge.call('ann', 'PATCH', `${root}/pulls/${number}`, { title: 'WIP: topic' }),
  ],
  [
    'it is blocked',
    412,
    async (root, number) => {
      const { body: issue } = await forge.call('ann', 'POST', `${root}/issues`, { title: 'work' })
      const blocker = { owner: 'ann', repo: root.split('/').at(-1), index: issue.number }
      await forge.call('ann', 'POST', `${root}/issues/${number}/dependencies`, blocker)
    },
  ],
  [
    'it is to land elsewhere',
    409,
    (root, number) => forge.call('ann', 'PATCH', `${root}/pulls/${number}`, { base: 'other' }),
  ],
  [
    'its head is another',
    409,
    (_root, number) =>
      forge.db
        .updateTable('pull_request')
        .set({ head_oid: 'a'.repeat(40) })
        .where('number', '=', number)
        .where('is_open', '=', true)
        .execute(),
  ],
  [
    'the style is switched off',
    405,
    (root) => forge.call('ann', 'PATCH', root, { allow_merge_commits: false }),
  ],
  ['it is archived', 423, (root) => forge.call('ann', 'PATCH', root, { archived: true })],
  ['a rule asks for approvals', 405, (root) => protect(root, { required_approvals: 1 })],
  ['a rule names others', 405, (root) => protect(root, { enable_merge_whitelist: true })],
  ['a rule protects its file', 405, (root) => protect(root, { protected_file_patterns: '*.md' })],
  ['a rule asks for signatures', 405, (root) => protect(root, { require_signed_commits: true })],
  ['a rule that asks for nothing', 200, (root) => protect(root, {})],
  [
    'a check fails',
    405,
    (root, number) => say(root, number, 'failure'),
    async (root, number) => {
      await protect(root, { enable_status_check: true, status_check_contexts: ['check'] })
      await say(root, number, 'success')
    },
  ],
  [
    'another file is protected',
    405,
    (root) => rewrite(root, { protected_file_patterns: '*.lock;*.md' }),
    (root) => protect(root, { protected_file_patterns: '*.lock' }),
  ],
]

for (const [i, [what, status, change, prepare = NOTHING]] of CHANGES.entries())
  test(`between building the commit and moving the base: ${what}`, async () => {
    const root = await makeRepository(forge, `r${i}`, ['wes'])
    await forge.call('ann', 'POST', `${root}/branches`, { new_branch_name: 'other', old_branch_name: 'main' })
    const number = await propose(forge, root, 'topic')
    await prepare(root, number)
    const tip = await tipOf(forge, root)
    const answer = await inTheMidst(
      forge,
      root,
      () => merge(forge, 'wes', root, number),
      () => change(root, number),
    )
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    const isMerged = status === 200
    assert.equal((await show(forge, root, number)).merged, isMerged)
    assert.equal((await tipOf(forge, root)) !== tip, isMerged)
  })

test('two merges built on the same base both succeed, the second rebuilt on the first', async () => {
  const root = await makeRepository(forge, 'two', ['wes'])
  const [one, two] = [await propose(forge, root, 'one'), await propose(forge, root, 'two')]
  const answers = await inTheMidst(
    forge,
    root,
    () => Promise.all([one, two].map((number) => merge(forge, 'wes', root, number))),
    async () => undefined,
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  for (const file of ['one.md', 'two.md'])
    assert.equal((await forge.call(null, 'GET', `${root}/contents/${file}`)).status, 200)
})

test('a merge that conflicts with a commit merged meanwhile is refused', async () => {
  const root = await makeRepository(forge, 'rivals', ['wes'])
  const rival = { path: 'same.md' }
  const [one, two] = [
    await propose(forge, root, 'one', { ...rival, content: '1\n' }),
    await propose(forge, root, 'two', { ...rival, content: '2\n' }),
  ]
  const answers = await inTheMidst(
    forge,
    root,
    () => Promise.all([one, two].map((number) => merge(forge, 'wes', root, number))),
    async () => undefined,
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const merged = [await show(forge, root, one), await show(forge, root, two)].map((it) => it.merged)
  assert.deepEqual(merged, [answers[0]?.status === 200, answers[1]?.status === 200])
})

test('a merge is refused when head_commit_id is not the head', async () => {
  const root = await makeRepository(forge, 'meant', ['wes'])
  const number = await propose(forge, root, 'topic')
  const { head } = await show(forge, root, number)
  await write(forge, root, 'topic', { path: 'more.md' })
  assert.equal((await merge(forge, 'wes', root, number, { head_commit_id: head.sha })).status, 409)
  const { sha } = (await show(forge, root, number)).head
  assert.equal((await merge(forge, 'wes', root, number, { head_commit_id: sha })).status, 200)
})
