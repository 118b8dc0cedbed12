/**
 * The number of statements of four typical operations. A number that grows here is a repeated query; one that shrinks is
 * recorded, so that it stays so.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { makeRepository, merge, propose } from '#testing/slices/merges'
import { addRun, SimulatedRunner } from '#testing/slices/runners'

const ROOT = '/repos/ann/ore'
const OPENS = /^select "repository"\.\*/

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  await makeRepository(forge, 'ore', [])
})
after(() => forge[Symbol.asyncDispose]())

interface Walk {
  readonly statements: number
  /** How often the row of a repository is read, with the caller's permissions. */
  readonly openings: number
}

/** Neither begin and commit, nor the periodic update of runners. */
const BESIDE = /^(?:begin|commit)$|^update action_runner set online_at/

async function assertWalk(expected: Walk, work: () => Promise<unknown>): Promise<void> {
  const texts = (await forge.listQueries(work)).filter((text) => !BESIDE.test(text))
  const walk = { statements: texts.length, openings: texts.filter((text) => OPENS.test(text)).length }
  assert.deepEqual(walk, expected, texts.join('\n'))
}

test('a push over HTTP', async () => {
  await using git = await GitClient.open(forge, 'ann', 'ann/ore')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.commit('a.txt', 'a\n')
  await git.ok('push', 'origin', 'main')
  await git.commit('b.txt', 'b\n')
  // Git requests the refs, first without credentials, and sends its pack; then the transaction checks access again.
  await assertWalk({ statements: 26, openings: 3 }, () => git.ok('push', 'origin', 'main'))
})

test('the git processes of a push to a branch with a pull request, and of its jobs', async () => {
  await using git = await GitClient.open(forge, 'ann', 'ann/ore')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.ok('checkout', '--quiet', '-b', 'grown')
  await git.commit('c.txt', 'c\n')
  await git.ok('push', 'origin', 'grown')
  const pull = { title: 'grown', head: 'grown', base: 'main' }
  assert.equal((await forge.call('ann', 'POST', `${ROOT}/pulls`, pull)).status, 201)
  await forge.runJobs()
  await git.commit('d.txt', 'd\n')
  // It receives the pack, and reads the type of the new tip and the commits that the pull request gets.
  assert.equal(await forge.countGit(() => git.ok('push', 'origin', 'grown')), 3)
  // Two consumers read folders, one the new commits; the check of the pull request takes five.
  assert.equal(await forge.countGit(() => forge.runJobs()), 8)
})

test('a merge over REST', async () => {
  const number = await propose(forge, ROOT, 'side')
  await forge.runJobs()
  // Once for the request; in the transaction once for its access, and once for who may merge after the pull request is
  // locked. One statement finds the columns of boards that take merged cards.
  await assertWalk({ statements: 47, openings: 3 }, async () => {
    assert.equal((await merge(forge, 'ann', ROOT, number)).status, 200)
  })
})

test('the files page of a pull request', async () => {
  const number = await propose(forge, ROOT, 'wide')
  await forge.runJobs()
  const browser = await forge.browserOf('ann')
  // Six of them find whose turn it is, which the head of the page says.
  await assertWalk({ statements: 28, openings: 1 }, async () => {
    assert.equal((await browser.get(`/ann/ore/pulls/${number}/files`)).status, 200)
  })
})

test('the files of a pull request over REST', async () => {
  const number = await propose(forge, ROOT, 'long')
  await forge.runJobs()
  await assertWalk({ statements: 3, openings: 1 }, async () => {
    assert.equal((await forge.call('ann', 'GET', `${ROOT}/pulls/${number}/files`)).status, 200)
  })
})

test('a waiting job is handed to a runner', async () => {
  const { id } = (await forge.call('ann', 'GET', ROOT)).body
  const { token } = (await forge.call('root', 'POST', '/admin/actions/runners/registration-token')).body
  const runner = await SimulatedRunner.register(forge.base, token)
  await addRun(forge.ctx, id)
  await assertWalk({ statements: 24, openings: 0 }, () => runner.untilTask())
})
