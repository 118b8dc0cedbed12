/** Code owners: read from the base, requested once, when the pull request is ready for review. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { commit, pullFrom } from '#testing/slices/reviews'

const REPO = '/repos/smithy/anvil'
const OWNERS = [
  'src/.* @ann @bob @hidden',
  'docs/.* @smithy/writers @nobody-knows @smithy/none',
  '!(src|docs)/.* @cat',
  'own/.* @ann',
].join('\n')
let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'cat', 'dan']) await forge.person(login)
  await forge.person('hidden', { visibility: 'private' })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  const repo = { name: 'anvil', auto_init: true, default_branch: 'main' }
  await forge.call('ann', 'POST', '/orgs/smithy/repos', repo)
  const writers = { name: 'Writers', permission: 'read', units: ['repo.code', 'repo.pulls'] }
  const { body } = await forge.call('ann', 'POST', '/orgs/smithy/teams', writers)
  await forge.call('ann', 'PUT', `/teams/${body.id}/members/dan`)
  await forge.call('ann', 'PUT', `/teams/${body.id}/repos/smithy/anvil`)
  await commit(forge, 'ann', REPO, 'main', { '.gitea/CODEOWNERS': OWNERS })
})
after(() => forge[Symbol.asyncDispose]())

async function asked(number: number): Promise<string[]> {
  await forge.runJobs()
  const { body } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}/reviews`)
  return body
    .filter((it: { state: string }) => it.state === 'REQUEST_REVIEW')
    .map(
      (it: { user: { login: string } | null; team: { name: string } | null }) =>
        it.user?.login ?? it.team?.name,
    )
    .sort()
}

const open = (branch: string, files: Record<string, string>, options = {}) =>
  pullFrom(forge, 'ann', REPO, branch, { files, options })

test('owners of changed paths are requested, except the author', async () => {
  assert.deepEqual(await asked(await open('code', { 'src/a.ts': 'a\n' })), ['bob', 'hidden'])
  assert.deepEqual(await asked(await open('texts', { 'docs/a.md': 'a\n' })), ['Writers'])
  assert.deepEqual(await asked(await open('others', { 'a.md': 'a\n', 'docs/b.md': 'b\n' })), [
    'Writers',
    'cat',
  ])
})

test('owners of the old path of a renamed file are requested too', async () => {
  await commit(forge, 'ann', REPO, 'main', { 'src/moves.ts': 'moves with all that is in it\n'.repeat(9) })
  const { sha, content } = (await forge.call('ann', 'GET', `${REPO}/contents/src/moves.ts`)).body
  const moved = { operation: 'update', from_path: 'src/moves.ts', path: 'lib/moves.ts', sha, content }
  const files = { files: [moved], branch: 'main', new_branch: 'moving' }
  assert.equal((await forge.call('ann', 'POST', `${REPO}/contents`, files)).status, 201)
  const opened = { title: 'moving', head: 'moving', base: 'main' }
  const { number } = (await forge.call('ann', 'POST', `${REPO}/pulls`, opened)).body
  assert.deepEqual(await asked(number), ['bob', 'cat', 'hidden'])
})

test('a draft requests no owners until it is ready, and then once', async () => {
  const number = await open('draft', { 'src/b.ts': 'b\n' }, { title: 'WIP: draft' })
  assert.deepEqual(await asked(number), [])
  await forge.call('ann', 'PATCH', `${REPO}/pulls/${number}`, { title: 'draft' })
  assert.deepEqual(await asked(number), ['bob', 'hidden'])
  await forge.call('ann', 'DELETE', `${REPO}/pulls/${number}/requested_reviewers`, { reviewers: ['bob'] })
  await commit(forge, 'ann', REPO, 'draft', { 'src/c.ts': 'c\n' })
  assert.deepEqual(await asked(number), ['hidden'])
})

test('CODEOWNERS in the head is ignored', async () => {
  const number = await open('usurper', { '.gitea/CODEOWNERS': '.* @dan\n', 'src/d.ts': 'd\n' })
  assert.deepEqual(await asked(number), ['bob', 'cat', 'hidden'])
})

for (const [place, owner] of [
  ['CODEOWNERS', 'bob'],
  ['docs/CODEOWNERS', 'cat'],
  ['.github/CODEOWNERS', 'dan'],
  ['.bloomery/CODEOWNERS', 'bob'],
] as const)
  test(`${place} is read`, async () => {
    const name = `in-${place.replaceAll(/[/.]/g, '-').toLowerCase()}`
    await forge.call('ann', 'POST', '/user/repos', { name, auto_init: true, default_branch: 'main' })
    const repo = `/repos/ann/${name}`
    await commit(forge, 'ann', repo, 'main', { [place]: `.* @${owner}\n` })
    const number = await pullFrom(forge, 'ann', repo, 'topic')
    await forge.runJobs()
    const { body } = await forge.call('ann', 'GET', `${repo}/pulls/${number}`)
    assert.deepEqual(
      body.requested_reviewers.map((it: { login: string }) => it.login),
      [owner],
    )
  })
