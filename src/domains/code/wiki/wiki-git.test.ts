/** Wikis as git repositories: clone and push, their access rules, and their separation from the code. */
import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'rea', 'eve']) await forge.person(name)
  for (const name of ['site', 'pushed', 'old', 'off'])
    await forge.call('ann', 'POST', '/user/repos', { name })
  await forge.call('ann', 'POST', '/user/repos', { name: 'closed', private: true })
  await forge.call('ann', 'PUT', '/repos/ann/site/collaborators/rea', { permission: 'read' })
  for (const name of ['site', 'closed', 'old', 'off']) await make(name, 'Home', 'home\n')
  await forge.call('ann', 'PATCH', '/repos/ann/off', { has_wiki: false })
})
after(() => forge[Symbol.asyncDispose]())

const make = (repo: string, title: string, text: string) =>
  forge.call('ann', 'POST', `/repos/ann/${repo}/wiki/new`, {
    title,
    content_base64: Buffer.from(text).toString('base64'),
  })
const storagesOf = (name: string) =>
  forge.db
    .selectFrom('repository')
    .select(['storage_id', 'wiki_storage_id'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow()

test('a page written over REST is cloned, and a pushed page is read over REST', async () => {
  await using client = await GitClient.open(forge, 'ann', 'ann/site.wiki')
  await client.ok('pull', '--quiet', 'origin', 'main')
  assert.equal(await client.ok('show', 'HEAD:Home.md'), 'home')
  await client.commit('Home.md', 'changed\n')
  await client.ok('push', '--quiet', 'origin', 'main')
  const { body } = await forge.call(null, 'GET', '/repos/ann/site/wiki/page/Home')
  assert.equal(body.content_base64, Buffer.from('changed\n').toString('base64'))
  assert.equal(body.commit_count, 2)
  assert.equal((await forge.call(null, 'GET', '/repos/ann/site')).body.empty, true, 'code is apart')
})

test('the first push creates the wiki, and its branch holds the pages under any name', async () => {
  await using client = await GitClient.open(forge, 'ann', 'ann/pushed.wiki')
  assert.notEqual((await client.run('ls-remote', 'origin')).code, 0)
  await mkdir(join(client.folder, 'guide'))
  await writeFile(join(client.folder, 'guide', 'Intro.md'), 'intro')
  await writeFile(join(client.folder, 'hello world.md'), 'hello')
  await writeFile(join(client.folder, 'C++.md'), 'plus')
  await writeFile(join(client.folder, 'picture.png'), 'no page')
  await symlink('hello world.md', join(client.folder, 'Link.md'))
  await client.commit('_Footer.md', 'below')
  await client.ok('push', '--quiet', 'origin', 'main:refs/heads/master', 'main:refs/heads/draft')
  const { body } = await forge.call(null, 'GET', '/repos/ann/pushed/wiki/pages')
  assert.deepEqual(
    body.map(({ sub_url }: { sub_url: string }) => sub_url),
    ['C--', '_Footer', 'hello-world'],
  )
  for (const [name, text] of [
    ['hello-world', 'hello'],
    ['hello%20world.md', 'hello'],
    ['guide%2FIntro', 'intro'],
    ['C--', 'plus'],
  ] as const) {
    const page = await forge.call(null, 'GET', `/repos/ann/pushed/wiki/page/${name}`)
    assert.equal(page.body?.content_base64, Buffer.from(text).toString('base64'), name)
    assert.equal(page.body.footer, Buffer.from('below').toString('base64'))
  }
  for (const name of ['Link', 'picture', '..%2F..%2Fetc', 'guide'])
    assert.equal((await forge.call(null, 'GET', `/repos/ann/pushed/wiki/page/${name}`)).status, 404, name)
  assert.equal((await make('pushed', 'Next', 'next')).status, 201)
  assert.equal(await client.remoteRef('refs/heads/main'), '')
})

test('a push that deletes the default branch of a wiki is refused, other branches can be deleted', async () => {
  await using client = await GitClient.open(forge, 'ann', 'ann/pushed.wiki')
  const refused = await client.run('push', 'origin', ':refs/heads/master')
  assert.notEqual(refused.code, 0)
  assert.match(refused.output, /refusing to delete the default branch/)
  await client.ok('push', '--quiet', 'origin', ':refs/heads/draft')
})

for (const [as, repo, mayFetch, mayPush] of [
  ['ann', 'site', true, true],
  ['rea', 'site', true, false],
  ['eve', 'site', true, false],
  [null, 'site', true, false],
  ['ann', 'closed', true, true],
  ['eve', 'closed', false, false],
  [null, 'closed', false, false],
  ['ann', 'off', false, false],
] as const)
  test(`${as ?? 'anonymous'} ${mayFetch ? 'fetches' : 'does not fetch'} and ${mayPush ? 'pushes' : 'does not push'} the wiki of ${repo}`, async () => {
    await using client = await GitClient.open(forge, as, `ann/${repo}.wiki`)
    assert.equal((await client.run('fetch', '--quiet', 'origin')).code === 0, mayFetch)
    await client.commit(`By-${as}.md`, `${repo}`)
    assert.equal((await client.run('push', 'origin', `main:refs/heads/by-${as}`)).code === 0, mayPush)
  })

test('a team with write access to the wiki unit alone can push the wiki but not the code', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'plan', private: true })
  const team = await forge.call('ann', 'POST', '/orgs/guild/teams', {
    name: 'scribes',
    permission: 'write',
    units_map: { 'repo.wiki': 'write' },
  })
  await forge.call('ann', 'PUT', `/teams/${team.body.id}/members/eve`)
  await forge.call('ann', 'PUT', `/teams/${team.body.id}/repos/guild/plan`)
  await using wiki = await GitClient.open(forge, 'eve', 'guild/plan.wiki')
  await wiki.commit('Home.md', 'hers')
  await wiki.ok('push', '--quiet', 'origin', 'main')
  await using code = await GitClient.open(forge, 'eve', 'guild/plan')
  await code.commit('a.txt', 'a')
  assert.notEqual((await code.run('push', 'origin', 'main')).code, 0)
})

test('a deploy token can fetch its repository’s wiki, and push to it unless it is read-only', async () => {
  for (const read_only of [true, false]) {
    const body = { title: `token ${read_only}`, read_only }
    const { body: key } = await forge.call('ann', 'POST', '/repos/ann/closed/keys/tokens', body)
    await using client = await GitClient.open(forge, null, 'ann/closed.wiki')
    const url = new URL(client.remote)
    url.username = key.token
    await client.ok('remote', 'set-url', 'origin', url.href)
    await client.ok('fetch', '--quiet', 'origin')
    await client.commit('Key.md', String(read_only))
    assert.equal((await client.run('push', 'origin', 'main:refs/heads/by-key')).code === 0, !read_only)
  }
})

test('renaming a repository keeps its wiki, and the old wiki URL redirects', async () => {
  await forge.call('ann', 'PATCH', '/repos/ann/old', { name: 'new' })
  await using client = await GitClient.open(forge, 'ann', 'ann/old.wiki')
  await client.ok('pull', '--quiet', 'origin', 'main')
  assert.equal(await client.ok('show', 'HEAD:Home.md'), 'home')
  const { status, headers } = await forge.call(
    'ann',
    'GET',
    '//ann/old.wiki.git/info/refs?service=git-upload-pack',
  )
  assert.equal(status, 301)
  assert.equal(headers.get('location'), '/ann/new.wiki.git/info/refs?service=git-upload-pack')
})

test('deleting a repository deletes its wiki storage', async () => {
  const { storage_id, wiki_storage_id } = await storagesOf('site')
  assert.ok(wiki_storage_id)
  assert.equal((await forge.call('ann', 'DELETE', '/repos/ann/site')).status, 204)
  const rows = await forge.db
    .selectFrom('git_storage')
    .select('deleted_at')
    .where('id', 'in', [storage_id, wiki_storage_id])
    .execute()
  assert.equal(rows.length, 2)
  assert.ok(rows.every(({ deleted_at }) => deleted_at !== null))
})

test('packs of a wiki are compacted', async () => {
  for (let i = 0; i < 10; i++) await make('closed', `Page ${i}`, String(i))
  const { wiki_storage_id } = await storagesOf('closed')
  assert.ok(wiki_storage_id)
  const packs = async () =>
    (
      await forge.db
        .selectFrom('git_storage_pack')
        .select('pack_id')
        .where('storage_id', '=', wiki_storage_id)
        .where('retired_at', 'is', null)
        .execute()
    ).length
  const before = await packs()
  await forge.runJobs()
  assert.ok((await packs()) < before)
})
