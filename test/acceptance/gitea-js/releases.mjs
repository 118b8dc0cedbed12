// Releases, hooks, keys, wiki, secrets.
import assert from 'node:assert/strict'
import { base64, me, owner, refused, repo, test } from './kit.mjs'

let release
await test('releases: create, latest, by tag, edit', async () => {
  const { status, data } = await me.repos.repoCreateRelease(owner, repo, {
    tag_name: 'v1.0',
    name: 'one',
    body: 'notes',
    target_commitish: 'main',
  })
  assert.equal(status, 201)
  release = data.id
  assert.equal((await me.repos.repoGetLatestRelease(owner, repo)).data.id, release)
  assert.equal((await me.repos.repoGetReleaseByTag(owner, repo, 'v1.0')).data.name, 'one')
  assert.equal((await me.repos.repoEditRelease(owner, repo, release, { name: 'uno' })).data.name, 'uno')
})
await test('releases: attachments', async () => {
  const { status, data } = await me.repos.repoCreateReleaseAttachment(
    owner,
    repo,
    release,
    { attachment: new File(['binary'], 'tool.bin') },
    { name: 'tool.bin' },
  )
  assert.equal(status, 201)
  assert.equal((await me.repos.repoListReleaseAttachments(owner, repo, release)).data[0].name, 'tool.bin')
  assert.equal((await me.repos.repoDeleteReleaseAttachment(owner, repo, release, data.id)).status, 204)
})
await test('releases: delete', async () => {
  assert.equal((await me.repos.repoDeleteRelease(owner, repo, release)).status, 204)
  await refused(404, () => me.repos.repoGetRelease(owner, repo, release))
})
await test('hooks: create, edit, list, delete', async () => {
  const { status, data } = await me.repos.repoCreateHook(owner, repo, {
    type: 'gitea',
    config: { url: 'http://127.0.0.1:9/hook', content_type: 'json' },
    events: ['push'],
    active: false,
  })
  assert.equal(status, 201)
  const { data: edited } = await me.repos.repoEditHook(owner, repo, data.id, { events: ['push', 'issues'] })
  assert.ok(edited.events.includes('push') && edited.events.includes('issues'))
  assert.equal((await me.repos.repoListHooks(owner, repo)).data.length, 1)
  assert.equal((await me.repos.repoDeleteHook(owner, repo, data.id)).status, 204)
})
await test('actions: secrets and variables of a repository', async () => {
  assert.equal((await me.repos.updateRepoSecret(owner, repo, 'WORD', { data: 'hush' })).status, 201)
  assert.deepEqual(
    (await me.repos.repoListActionsSecrets(owner, repo)).data.map((one) => one.name),
    ['WORD'],
  )
  assert.equal((await me.repos.deleteRepoSecret(owner, repo, 'WORD')).status, 204)
  assert.equal((await me.repos.createRepoVariable(owner, repo, 'TASTE', { value: 'sweet' })).status, 201)
  assert.equal((await me.repos.getRepoVariable(owner, repo, 'TASTE')).data.data, 'sweet')
})
await test('wiki: create, get, list, edit, delete', async () => {
  const { status } = await me.repos.repoCreateWikiPage(owner, repo, {
    title: 'Home',
    content_base64: base64('hello'),
    message: 'first',
  })
  assert.equal(status, 201)
  const { data } = await me.repos.repoGetWikiPage(owner, repo, 'Home')
  assert.equal(Buffer.from(data.content_base64, 'base64').toString(), 'hello')
  await me.repos.repoEditWikiPage(owner, repo, 'Home', {
    title: 'Home',
    content_base64: base64('hello again'),
  })
  assert.equal((await me.repos.repoGetWikiPageRevisions(owner, repo, 'Home')).data.count, 2)
  assert.equal((await me.repos.repoGetWikiPages(owner, repo)).data.length, 1)
  assert.equal((await me.repos.repoDeleteWikiPage(owner, repo, 'Home')).status, 204)
})
await test('packages: listPackages of a user without any', async () => {
  assert.deepEqual((await me.packages.listPackages(owner)).data, [])
})
