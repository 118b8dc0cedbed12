/** Autodetection of manual merges: a pull request whose head is pushed to its base is marked as merged. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { makeRepository, merge, propose, show, tipOf } from '#testing/slices/merges'

let forge: Forge
let root: string
let git: GitClient
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes']) await forge.person(login)
  root = await makeRepository(forge, 'one', ['wes'])
  git = await GitClient.open(forge, 'wes', 'ann/one')
})
after(async () => {
  await git[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const wish = (autodetect_manual_merge: boolean) =>
  forge.call('ann', 'PATCH', root, { autodetect_manual_merge })
const push = async (...how: string[]) => {
  await git.ok('fetch', '--quiet', 'origin')
  await git.ok('checkout', '--quiet', '-B', 'main', 'origin/main')
  await git.ok('merge', '--quiet', ...how)
  await git.ok('push', '--quiet', 'origin', 'main')
  await forge.runJobs()
}

test('a pushed merge commit marks the pull request as merged with that commit and by the pusher', async () => {
  await wish(true)
  const [number, untouched] = [await propose(forge, root, 'joined'), await propose(forge, root, 'untouched')]
  await git.ok('fetch', '--quiet', 'origin')
  await push('--no-ff', '-m', 'by hand', 'origin/joined')
  const shown = await show(forge, root, number)
  assert.deepEqual(
    [shown.merged, shown.merged_by.login, shown.merge_commit_sha],
    [true, 'wes', await tipOf(forge, root)],
  )
  assert.equal((await show(forge, root, untouched)).state, 'open')
})

test('a fast-forward of the base to the head marks the pull request as merged with the head itself', async () => {
  const number = await propose(forge, root, 'straight')
  await git.ok('fetch', '--quiet', 'origin')
  await push('--ff-only', 'origin/straight')
  const shown = await show(forge, root, number)
  assert.deepEqual([shown.merged, shown.merge_commit_sha], [true, shown.head.sha])
})

test('a pull request whose head is merged by another pull request is marked as merged', async () => {
  const lower = await propose(forge, root, 'lower')
  const upper = await propose(forge, root, 'upper', { base: 'lower' })
  await forge.call('ann', 'PATCH', `${root}/pulls/${upper}`, { base: 'main' })
  assert.equal((await merge(forge, 'ann', root, upper)).status, 200)
  await forge.runJobs()
  assert.equal((await show(forge, root, lower)).merged, true)
})

test('without autodetection in the repository, nothing is marked', async () => {
  await wish(false)
  const number = await propose(forge, root, 'unseen')
  await git.ok('fetch', '--quiet', 'origin')
  await push('--no-ff', '-m', 'by hand', 'origin/unseen')
  assert.equal((await show(forge, root, number)).merged, false)
})
