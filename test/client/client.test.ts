/** The TypeScript client against a forge: what it sends, what it reads, and how it fails. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Client, createClient, ForgeError } from '../../clients/typescript/client.ts'
import { OPERATIONS } from '../../clients/typescript/gen/operations.ts'
import { type Forge, startForge } from '../../src/testing/index.ts'

const PASSWORD = 'grüße-1234'
const ANVIL = { owner: 'ann', repo: 'anvil' }

let forge: Forge
let ann: Client
let bob: Client
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  for (const name of ['ann', 'bob']) await forge.person(name)
  ann = createClient({ url: forge.base, token: forge.tokenOf('ann') })
  bob = createClient({ url: `${forge.base}/`, token: forge.tokenOf('bob') })
  await ann.call('createCurrentUserRepo', {}, { name: 'anvil', auto_init: true })
})
after(() => forge[Symbol.asyncDispose]())

async function refusal(asked: Promise<unknown>): Promise<ForgeError> {
  const error = await asked.then(
    () => undefined,
    (reason) => reason,
  )
  assert.ok(error instanceof ForgeError, String(error))
  return error
}

test('a user creates a token with a password, and the client works with either', async () => {
  const root = createClient({ url: forge.base, token: forge.tokenOf('root') })
  const cem = { username: 'cem', email: 'cem@example.test', password: PASSWORD, must_change_password: false }
  await root.call('adminCreateUser', {}, cem)
  const basic = createClient({ url: forge.base, basic: { username: 'cem', password: PASSWORD } })
  const { sha1 } = await basic.call('userCreateToken', { username: 'cem' }, { name: 'x', scopes: ['all'] })
  const byToken = createClient({ url: forge.base, token: sha1 })
  assert.equal((await byToken.call('userGetCurrent', {})).login, 'cem')
  const nobody = createClient({ url: forge.base })
  assert.equal((await refusal(nobody.call('userGetCurrent', {}))).status, 401)
  assert.throws(() => createClient({ url: forge.base, token: 'x', basic: { username: 'x', password: 'y' } }))
})

test('a repository is created and found, and an issue is opened in it', async () => {
  const made = await ann.call('createCurrentUserRepo', {}, { name: 'bellows' })
  assert.equal(made.full_name, 'ann/bellows')
  const found = await ann.call('repoSearch', { q: 'bellows', private: true })
  assert.deepEqual(
    found.data.map((it) => it.name),
    ['bellows'],
  )
  const issue = await ann.call('issueCreateIssue', ANVIL, { title: 'It is cold' })
  const read = await bob.call('issueGetIssue', { ...ANVIL, index: issue.number })
  assert.equal(read.title, 'It is cold')
})

test('names with slashes, spaces and special characters arrive unchanged, and files are returned as bytes', async () => {
  const filepath = 'a folder/ü+?#&%2F.txt'
  const content = Buffer.from([0, 255, 13, 10]).toString('base64')
  await ann.call('repoCreateFile', { ...ANVIL, filepath }, { content, message: 'add' })
  const raw = await ann.call('repoGetRawFile', { ...ANVIL, filepath })
  assert.deepEqual(Buffer.from(await raw.arrayBuffer()), Buffer.from(content, 'base64'))
  const file = { ...ANVIL, filepath: 'given.json' }
  await ann.call('repoCreateFile', file, { content: Buffer.from('{}').toString('base64'), message: 'add' })
  assert.equal(await (await ann.call('repoGetRawFile', file)).text(), '{}')
})

test('a parameter that would change the path, or that the operation does not have, is never sent', async () => {
  for (const repo of ['', '.', '..'])
    await assert.rejects(ann.call('repoDelete', { owner: 'ann', repo }), /repoDelete: repo is/)
  const given: { q: string } = { q: 'x', limt: 3 } as { q: string }
  await assert.rejects(ann.call('repoSearch', given), /repoSearch has no parameter limt/)
})

test('a list reports the total of all pages, and pages are read one after the other', async () => {
  await ann.call('createCurrentUserRepo', {}, { name: 'many' })
  const many = { owner: 'ann', repo: 'many' }
  for (let i = 1; i <= 5; i++) await ann.call('issueCreateIssue', many, { title: `issue ${i}` })
  const { items, total } = await ann.list('issueListIssues', { ...many, limit: 2 })
  assert.deepEqual([items.length, total], [2, 5])
  let asked = 0
  const counted: typeof fetch = (...words) => {
    asked++
    return fetch(...words)
  }
  const client = createClient({ url: forge.base, token: forge.tokenOf('ann'), fetch: counted })
  const titles = async (page?: number) => {
    const pages: string[][] = []
    for await (const it of client.pages('issueListIssues', { ...many, limit: 2, page }))
      pages.push(it.map(({ title }) => title.slice(-1)))
    return pages
  }
  assert.deepEqual(await titles(), [['5', '4'], ['3', '2'], ['1']])
  assert.equal(asked, 3)
  assert.deepEqual(await titles(2), [['3', '2'], ['1']])
})

test('marking notifications returns the threads, and list parameters are repeated', async () => {
  await bob.call('issueCreateIssue', ANVIL, { title: '@ann look' })
  await forge.runJobs()
  const unread = await ann.list('notifyGetList', { 'status-types': ['unread', 'pinned'] })
  assert.deepEqual(
    unread.items.map((it) => it.subject?.title),
    ['@ann look'],
  )
  const [thread] = unread.items
  assert.ok(thread)
  const pinned = await ann.call('notifyReadThread', { id: String(thread.id), 'to-status': 'pinned' })
  assert.equal(pinned?.pinned, true)
  const marked = await ann.call('notifyReadList', { 'status-types': ['unread', 'pinned'] })
  assert.deepEqual(
    marked?.map((it) => [it.id, it.unread]),
    [[thread.id, false]],
  )
})

test('an answer without a body is undefined', async () => {
  assert.equal(await bob.call('userCurrentPutStar', ANVIL), undefined)
})

test('a refusal is an error with status, message and URL', async () => {
  const missing = await refusal(ann.call('repoGet', { owner: 'ann', repo: 'nothing' }))
  assert.deepEqual(
    [missing.name, missing.operation, missing.status, missing.url],
    ['ForgeError', 'repoGet', 404, `${forge.base}/api/v1/repos/ann/nothing`],
  )
  assert.match(missing.message, /does not exist/)
  const taken = await refusal(ann.call('createCurrentUserRepo', {}, { name: 'anvil' }))
  assert.deepEqual([taken.status, taken.message.length > 0], [409, true])
  const wrong = await refusal(ann.call('createCurrentUserRepo', {}, { name: 'a/b' }))
  assert.equal(wrong.status, 422)
  assert.doesNotMatch(wrong.message, /[{}]/)
})

test('a renamed repository is found by its old name', async () => {
  await ann.call('createCurrentUserRepo', {}, { name: 'old' })
  await ann.call('repoEdit', { owner: 'ann', repo: 'old' }, { name: 'new' })
  assert.equal((await ann.call('repoGet', { owner: 'ann', repo: 'old' })).name, 'new')
  const issue = await ann.call('issueCreateIssue', { owner: 'ann', repo: 'old' }, { title: 'moved' })
  assert.equal(issue.repository?.name, 'new')
})

test('a timeout and an aborted signal end the request', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await assert.rejects(createClient({ url, timeoutMs: 50 }).call('getVersion', {}), { name: 'TimeoutError' })
  const signal = AbortSignal.abort()
  await assert.rejects(createClient({ url }).call('getVersion', {}, undefined, { signal }), {
    name: 'AbortError',
  })
  server.closeAllConnections()
  server.close()
})

test('a refusal of a proxy that is not JSON is reported by its own text', async () => {
  const answer = async () => new Response('bad gateway', { status: 502 })
  const { status, message } = await refusal(
    createClient({ url: forge.base, fetch: answer }).call('getVersion', {}),
  )
  assert.deepEqual([status, message], [502, 'bad gateway'])
})

test('types refuse what the contract does not have', () => {
  const never = () => [
    // @ts-expect-error: the operation is unknown
    ann.call('repoForge', {}),
    // @ts-expect-error: the repository is not named
    ann.call('repoGet', { owner: 'ann' }),
    // @ts-expect-error: the body is missing
    ann.call('createCurrentUserRepo', {}),
    // @ts-expect-error: the answer is no list
    ann.list('repoGet', ANVIL),
  ]
  assert.equal(typeof never, 'function')
  assert.ok(Object.keys(OPERATIONS).length > 500)
})
