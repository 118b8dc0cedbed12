/** Releases imported from a source with Gitea's API: complete with their files, or the import fails. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

const BYTES_MAX = 100_000
const WORDY = 60
const tool = randomBytes(70_000)
/** Bytes sent in each response of endless empty records. */
const taken: number[] = []

let forge: Forge
/** A proxy that serves the forge under another address, as a remote source. */
let source: Server
/** Another host, where a source may keep its files. */
let elsewhere: Server
const heardElsewhere: (string | undefined)[] = []
before(async () => {
  const config = { 'outbound.allow_private': true, 'http.file_bytes_max': BYTES_MAX }
  forge = await startForge({ config: { 'log.level': 'silent', ...config } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  source = await listen(passOn)
  elsewhere = await listen((request, response) => {
    heardElsewhere.push(request.headers.authorization)
    response.end('from elsewhere')
  })
  for (const name of ['site', 'broken', 'bomb', 'silent', 'scattered', 'nothing', 'wordy']) await grow(name)
})
after(async () => {
  for (const server of [source, elsewhere]) {
    server.closeAllConnections()
    server.close()
  }
  await forge[Symbol.asyncDispose]()
})

function listen(handle: RequestListener): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(handle).listen(0, '127.0.0.1', () => resolve(server))
  })
}
const baseOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Proxies to the forge; for some repositories, files or lists are broken. */
const passOn: RequestListener = async (request, response) => {
  const path = request.url ?? '/'
  if (/api.*silent\/releases/.test(path)) return response.writeHead(404).end()
  if (/api.*nothing\/releases/.test(path)) return tellNothings(response)
  if (/api.*wordy\/releases/.test(path)) return tellNotes(new URL(path, 'http://source'), response)
  if (/broken\/releases\/download/.test(path)) return response.writeHead(500).end()
  if (/bomb\/releases\/download/.test(path)) return response.end(Buffer.alloc(BYTES_MAX + 1))
  const { host: _, connection: __, ...headers } = request.headers
  const body = request.method === 'POST' ? await buffer(request) : undefined
  const answer = await fetch(forge.base + path, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body && { body }),
  })
  const type = answer.headers.get('content-type') ?? ''
  const bytes = Buffer.from(await answer.arrayBuffer())
  response.writeHead(answer.status, {
    'content-type': type,
    ...(answer.status === 401 && { 'www-authenticate': 'Basic realm="x"' }),
  })
  if (!type.includes('json')) return response.end(bytes)
  const place = baseOf(path.includes('scattered') ? elsewhere : source)
  response.end(bytes.toString().replaceAll('http://forge.test', place))
}

/** Up to 64 MB of `[{},{},…]`, as long as the client reads. */
const tellNothings = (response: ServerResponse) => {
  const piece = Buffer.from('{},'.repeat(300_000))
  let pieces = 0
  const more = () => {
    while (pieces++ < 72 && !response.destroyed && response.write(piece));
    if (pieces > 72) response.end('{}]')
  }
  response
    .on('drain', more)
    .on('close', () => taken.push(response.socket?.bytesWritten ?? pieces * piece.length))
  response.write('[')
  more()
}

/** Notes that are too long for a page of fifty, but not for one of ten. */
const tellNotes = (url: URL, response: ServerResponse) => {
  const [page, limit] = ['page', 'limit'].map((name) => Number(url.searchParams.get(name)))
  const all = Array.from({ length: WORDY }, (_, i) => ({ tag_name: `w${i}`, body: 'x'.repeat(60_000) }))
  const from = ((page ?? 1) - 1) * (limit ?? 1)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(all.slice(from, from + (limit ?? 1))))
}

/** Creates a private repository with two published releases and a draft. */
async function grow(name: string): Promise<void> {
  await forge.call('ann', 'POST', '/user/repos', { name, private: true })
  await using client = await GitClient.open(forge, 'ann', `ann/${name}`)
  await client.commit('a.txt', name)
  await client.ok('push', '--quiet', 'origin', 'main')
  const at = `/repos/ann/${name}/releases`
  await forge.call('ann', 'POST', at, { tag_name: 'v1', name: 'One', body: 'Notes of one' })
  await forge.call('ann', 'POST', at, { tag_name: 'v2', name: 'Two', prerelease: true })
  await forge.call('ann', 'POST', at, { tag_name: 'v3', name: 'Three', draft: true })
  const { body } = await forge.call('ann', 'GET', `${at}/tags/v1`)
  await fetch(`${forge.base}/api/v1${at}/${body.id}/assets?name=tool.bin`, {
    method: 'POST',
    body: tool,
    headers: { authorization: `token ${forge.tokenOf('ann')}`, 'content-type': 'application/octet-stream' },
  })
}

async function migrate(name: string, repo_name: string, more: Record<string, unknown> = {}) {
  const asking = forge.call('bob', 'POST', '/repos/migrate', {
    clone_addr: `${baseOf(source)}/ann/${name}.git`,
    repo_name,
    service: 'gitea',
    releases: true,
    auth_token: forge.tokenOf('ann'),
    ...more,
  })
  // A source that fails is asked again later.
  return forge.withJobs(asking, true)
}
const releasesOf = async (name: string) =>
  (await forge.call('bob', 'GET', `/repos/bob/${name}/releases`)).body as {
    tag_name: string
    name: string
    body: string
    draft: boolean
    prerelease: boolean
    author: { login: string }
    assets: { name: string; size: number; uuid: string }[]
  }[]

test('releases are imported with notes, drafts and files, and are counted', async () => {
  const { status, body } = await migrate('site', 'whole')
  assert.equal(status, 201)
  assert.equal(body.release_counter, 2)
  const releases = await releasesOf('whole')
  assert.deepEqual(
    releases.map(({ tag_name, name, body, draft, prerelease }) => [tag_name, name, body, draft, prerelease]),
    [
      ['v3', 'Three', '', true, false],
      ['v2', 'Two', '', false, true],
      ['v1', 'One', 'Notes of one', false, false],
    ],
  )
  assert.equal(releases[0]?.author.login, 'bob')
  const [asset] = releases[2]?.assets ?? []
  assert.equal(asset?.name, 'tool.bin')
  const got = await fetch(`${forge.base}/attachments/${asset?.uuid}`)
  assert.ok(Buffer.from(await got.arrayBuffer()).equals(tool))
})

for (const [why, more] of [
  ['nobody asked for them', { releases: false }],
  ['the source is plain git', { service: 'git' }],
  ['it is a mirror', { mirror: true }],
] as const)
  test(`no releases are imported when ${why}`, async () => {
    const name = why.replaceAll(' ', '-')
    assert.equal((await migrate('site', name, more)).status, 201)
    assert.deepEqual(await releasesOf(name), [])
  })

for (const [why, name] of [
  ['one of their files cannot be had', 'broken'],
  ['one of their files is too large', 'bomb'],
  ['the source does not tell them', 'silent'],
] as const)
  test(`the import fails and leaves nothing when ${why}`, async () => {
    assert.equal((await migrate(name, 'lost')).status, 422)
    assert.equal((await forge.call('bob', 'GET', '/repos/bob/lost')).status, 404)
    const bound = await forge.db
      .selectFrom('attachment')
      .innerJoin('release', 'release.id', 'attachment.release_id')
      .innerJoin('repository', 'repository.id', 'release.repository_id')
      .select('attachment.id')
      .where('repository.name', '=', 'lost')
      .execute()
    assert.deepEqual(bound, [])
  })

test('an endless list of empty records is aborted early', async () => {
  assert.equal((await migrate('nothing', 'lost')).status, 422)
  assert.ok(taken.length > 0)
  // Bytes in network buffers count as sent, though they were never read.
  assert.ok(Math.max(...taken) < 20_000_000, `${taken}`)
})

test('a page that is too large is requested again in smaller pages', async () => {
  assert.equal((await migrate('wordy', 'wordy')).status, 201)
  const { headers } = await forge.call('bob', 'GET', '/repos/bob/wordy/releases')
  assert.equal(headers.get('x-total-count'), String(WORDY))
})

test('credentials of a source are not sent to the host of its files', async () => {
  assert.equal((await migrate('scattered', 'gathered')).status, 201)
  assert.deepEqual(heardElsewhere, [undefined])
  assert.equal((await releasesOf('gathered'))[2]?.assets[0]?.size, 'from elsewhere'.length)
})
