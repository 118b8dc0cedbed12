/** Objects follow commits that no client of LFS pushes, and are served in place of their pointers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { get, type LfsObject, objectOf, pointerTo, upload } from '#testing/slices/lfs'
import { send } from '#testing/slices/packages'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

async function commit(as: string, repo: string, path: string, object: LfsObject): Promise<void> {
  const content = Buffer.from(pointerTo(object)).toString('base64')
  const { status } = await forge.call(as, 'POST', `/repos/${repo}/contents/${path}`, {
    content,
    message: path,
  })
  assert.equal(status, 201)
}

async function makeWithFork(name: string, facts: object = {}): Promise<void> {
  await forge.call('ann', 'POST', '/user/repos', { name, auto_init: true, default_branch: 'main', ...facts })
  await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/bob`, { permission: 'read' })
  assert.equal((await forge.call('bob', 'POST', `/repos/ann/${name}/forks`, {})).status, 202)
}

for (const style of ['merge', 'squash'] as const)
  test(`a pull request brings its objects from a private fork, and no others: ${style}`, async () => {
    const name = `private-${style}`
    await makeWithFork(name, { private: true })
    const [wanted, other] = [objectOf(`wanted ${style}`), objectOf(`other ${style}`)]
    for (const object of [wanted, other]) await upload(forge, 'bob', `bob/${name}`, object)
    await commit('bob', `bob/${name}`, 'a.bin', wanted)
    const opened = await forge.call('bob', 'POST', `/repos/ann/${name}/pulls`, {
      title: 'a',
      head: 'bob:main',
      base: 'main',
    })
    assert.equal(opened.status, 201)
    await forge.runJobs()
    assert.equal((await get(forge, 'ann', `ann/${name}`, wanted.oid)).status, 404)
    const path = `/repos/ann/${name}/pulls/${opened.body.number}/merge`
    assert.equal((await forge.call('ann', 'POST', path, { Do: style })).status, 200)
    await forge.makeJobsDue()
    await forge.runJobs()
    assert.deepEqual((await get(forge, 'ann', `ann/${name}`, wanted.oid)).bytes, wanted.bytes)
    assert.equal((await get(forge, 'ann', `ann/${name}`, other.oid)).status, 404)
  })

test('a pull request with a pointer to an object of others brings nothing', async () => {
  await makeWithFork('crafted')
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true, auto_init: true })
  const secret = objectOf('a secret of the vault')
  await upload(forge, 'ann', 'ann/vault', secret)
  await upload(forge, 'bob', 'bob/crafted', objectOf('makes the fork a relative with objects'))
  await commit('bob', 'bob/crafted', 'a.bin', secret)
  const pull = { title: 'a', head: 'bob:main', base: 'main' }
  const { body } = await forge.call('bob', 'POST', '/repos/ann/crafted/pulls', pull)
  const merged = await forge.call('ann', 'POST', `/repos/ann/crafted/pulls/${body.number}/merge`, {
    Do: 'merge',
  })
  assert.equal(merged.status, 200)
  await forge.makeJobsDue()
  await forge.runJobs()
  for (const repo of ['ann/crafted', 'bob/crafted'])
    assert.equal((await get(forge, 'bob', repo, secret.oid)).status, 404)
})

test('a fork that is synchronized has the new objects of its parent', async () => {
  await makeWithFork('synced')
  const object = objectOf('new in the parent')
  await upload(forge, 'ann', 'ann/synced', object)
  await commit('ann', 'ann/synced', 'a.bin', object)
  const { status } = await forge.call('bob', 'POST', '/repos/bob/synced/merge-upstream', { branch: 'main' })
  assert.equal(status, 200)
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.deepEqual((await get(forge, 'bob', 'bob/synced', object.oid)).bytes, object.bytes)
})

test('media addresses serve the object, raw addresses its pointer', async () => {
  await forge.call('ann', 'POST', '/user/repos', {
    name: 'pics',
    private: true,
    auto_init: true,
    default_branch: 'main',
  })
  const picture = objectOf(`GIF89a${'x'.repeat(20_000)}`)
  await upload(forge, 'ann', 'ann/pics', picture)
  await commit('ann', 'ann/pics', 'a.png', picture)
  await commit('ann', 'ann/pics', 'foreign.bin', objectOf('nobody uploaded this'))
  for (const path of ['/api/v1/repos/ann/pics/media/a.png', '/ann/pics/media/branch/main/a.png']) {
    const got = await send(forge, 'ann', 'GET', path)
    assert.deepEqual(got.bytes, picture.bytes)
    assert.equal(got.headers.get('content-type'), 'image/gif')
    assert.equal(got.headers.get('content-length'), String(picture.size))
    assert.match(got.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.ok([401, 404].includes((await send(forge, 'bob', 'GET', path)).status))
    const raw = await send(forge, 'ann', 'GET', path.replace('/media/', '/raw/'))
    assert.equal(raw.bytes.toString(), pointerTo(picture))
  }
  const page = await (await forge.browserOf('ann')).get('/ann/pics/src/branch/main/a.png')
  assert.match(page.text, /Git LFS: 19\.5 KiB/)
  assert.match(page.text, /<img src="\/ann\/pics\/media\/branch\/main\/a\.png" alt="a\.png">/)
  assert.match(page.text, /href="\/ann\/pics\/media\/branch\/main\/a\.png"/)
  const foreign = await send(forge, 'ann', 'GET', '/ann/pics/media/branch/main/foreign.bin')
  assert.match(foreign.bytes.toString(), /^version https/)
})
