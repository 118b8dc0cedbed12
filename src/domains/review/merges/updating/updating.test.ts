/** Head branches are updated from their base, also in forks. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { inTheMidst, makeRepository, merge, propose, show, tipOf, write } from '#testing/slices/merges'

let forge: Forge
let root: string
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve', 'zoe']) await forge.person(login)
  root = await makeRepository(forge, 'one', ['wes'])
  await forge.call('eve', 'POST', `${root}/forks`, {})
})
after(() => forge[Symbol.asyncDispose]())

const FORK = '/repos/eve/one'
let files = 0
const update = async (as: string, number: number, style = 'merge') =>
  (await forge.call(as, 'POST', `${root}/pulls/${number}/update?style=${style}`)).status
const grow = () => write(forge, root, 'main', { path: `base-${files++}.md` })
const fromFork = async (branch: string, more: object = {}): Promise<number> => {
  await write(forge, FORK, branch, { as: 'eve', base: 'main' })
  const input = { title: branch, head: `eve:${branch}`, base: 'main', ...more }
  return (await forge.call('eve', 'POST', `${root}/pulls`, input)).body.number
}
const commitsOf = async (number: number): Promise<string[]> =>
  (await forge.call('ann', 'GET', `${root}/pulls/${number}/commits`)).body.map(
    (it: { commit: { message: string } }) => it.commit.message.trim(),
  )

for (const [style, commits] of [
  ['merge', ["Merge branch 'main' into own-merge", 'add own-merge.md']],
  ['rebase', ['add own-rebase.md']],
] as const)
  test(`${style} updates a head branch from its base, and the result can be merged fast-forward`, async () => {
    const number = await propose(forge, root, `own-${style}`)
    const tip = await grow()
    assert.equal(await update('wes', number, style), 200)
    assert.deepEqual(await commitsOf(number), commits)
    const shown = await show(forge, root, number)
    assert.equal(await tipOf(forge, root, `own-${style}`), shown.head.sha)
    assert.equal(await tipOf(forge, root), tip)
    assert.equal(await update('wes', number, style), 409, 'it is up to date')
    assert.equal((await merge(forge, 'ann', root, number, { Do: 'fast-forward-only' })).status, 200)
  })

test('a head branch in a fork is updated by its owner, and by maintainers if the author allows it', async () => {
  const [open, closed] = [await fromFork('open'), await fromFork('closed', { allow_maintainer_edit: false })]
  await grow()
  assert.deepEqual(
    [
      await update('zoe', open),
      await update('wes', closed),
      await update('wes', open),
      await update('eve', closed),
    ],
    [403, 403, 200, 200],
  )
  assert.deepEqual(await commitsOf(open), ["Merge branch 'main' into open", 'add open.md'])
  assert.equal(await tipOf(forge, FORK, 'open'), (await show(forge, root, open)).head.sha)
  await grow()
  assert.equal(await update('wes', open, 'rebase'), 200)
  assert.deepEqual(await commitsOf(open), ['add open.md'])
})

test('branch protection in the fork applies to maintainers who update its branch', async () => {
  const number = await fromFork('guarded')
  await grow()
  await forge.call('eve', 'POST', `${FORK}/branch_protections`, { rule_name: 'guarded', enable_push: true })
  assert.equal(await update('wes', number), 403)
  assert.equal(await update('eve', number, 'rebase'), 403, 'it would be rewritten')
  assert.equal(await update('eve', number), 200)
})

test('a disabled update style, a closed pull request and a conflict are refused', async () => {
  const [one, other] = [
    await propose(forge, root, 'off'),
    await propose(forge, root, 'rival', { path: 'same.md' }),
  ]
  await write(forge, root, 'main', { path: 'same.md', content: 'another\n' })
  await forge.call('ann', 'PATCH', root, { allow_rebase_update: false })
  assert.deepEqual([await update('ann', one, 'rebase'), await update('ann', one)], [403, 200])
  await forge.call('ann', 'PATCH', root, { allow_rebase_update: true })
  assert.deepEqual([await update('ann', other), await update('ann', other, 'rebase')], [409, 409])
  await forge.call('ann', 'PATCH', `${root}/pulls/${one}`, { state: 'closed' })
  await grow()
  assert.equal(await update('ann', one), 422)
})

test('a pull request that is closed during the update keeps its branch', async () => {
  const number = await propose(forge, root, 'midst')
  await grow()
  const tip = await tipOf(forge, root, 'midst')
  const status = await inTheMidst(
    forge,
    root,
    () => update('wes', number),
    () => forge.call('ann', 'PATCH', `${root}/pulls/${number}`, { state: 'closed' }),
  )
  assert.deepEqual([status, await tipOf(forge, root, 'midst')], [422, tip])
})
