/** The log of the HTTP server: who asked for what, failed sign-ins, causes of failures, and few lines in an outage. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { internalOperations, rawRoutes, routes, web } from '#cli'
import type { World } from '#platform/context'
import { openDb } from '#platform/db'
import { openLog } from '#platform/log'
import { openObjectStore } from '#platform/object-store'
import { openPool } from '#platform/pool'
import { type Forge, startForge, until } from '#testing'
import { buildApp } from './app.ts'

const ADDRESS = '198.51.100.7'
const BROWSER = { accept: 'text/html' }

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'http.trusted_proxies': ['127.0.0.1'] } })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true })
})
after(() => forge[Symbol.asyncDispose]())

type Line = Record<string, unknown>

interface Logged extends AsyncDisposable {
  readonly lines: Line[]
  /** Waits for the line `request` of this call. */
  ask(path: string, init?: RequestInit): Promise<Response>
}

/** The same forge behind another port, with its log in memory. */
async function logged(other: Partial<World> = {}): Promise<Logged> {
  const lines: Line[] = []
  const log = openLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const app: FastifyInstance = buildApp({
    world: { ...forge.world, log, ...other },
    routes,
    internalOperations,
    rawRoutes,
    web,
    isReady: async () => undefined,
  })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    lines,
    async ask(path, init = {}) {
      const headers = { 'x-forwarded-for': ADDRESS, ...(init.headers as Record<string, string>) }
      const count = () => lines.filter(({ msg }) => msg === 'request').length
      const before = count()
      const answer = await fetch(base + path, { redirect: 'manual', ...init, headers })
      await answer.clone().arrayBuffer()
      await until(async () => count() > before)
      return answer
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}

const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

test('the line of a request names user, address, route, path, bytes and node, and no query', async () => {
  await using node = await logged()
  const token = forge.tokenOf('ann')
  await node.ask(`/api/v1/repos/ann/site?access_token=${token}&q=hidden`)
  await node.ask('/org/invite/sesame-open', { headers: BROWSER })
  const [line = {}, invite = {}] = node.lines.filter(({ msg }) => msg === 'request')
  assert.equal(line.level, 'info')
  assert.equal(line['user.login'], 'ann')
  assert.equal(line['client.address'], ADDRESS)
  assert.equal(line['http.route'], '/api/v1/repos/:owner/:repo')
  assert.equal(line['http.path'], '/api/v1/repos/ann/site')
  assert.equal(line['http.status'], 200)
  assert.equal(line['node.host'], hostname())
  assert.equal(line['node.pid'], process.pid)
  assert.ok(Number(line['http.bytes']) > 1_000 && Number(line['http.bytes']) < 10_000)
  assert.equal(invite['http.path'], '/org/invite/[hidden]')
  assert.doesNotMatch(JSON.stringify(node.lines), new RegExp(`${token}|hidden"|sesame`))
})

test('lines about probes are for debugging', async () => {
  await using node = await logged()
  for (const path of ['/healthz', '/readyz']) await node.ask(path)
  assert.deepEqual(
    node.lines.filter(({ msg }) => msg === 'request').map(({ level }) => level),
    ['debug', 'debug'],
  )
})

test('a proxy that forwards clients and is not trusted is told once', async () => {
  const config = { ...forge.world.config, 'http.trusted_proxies': [] }
  await using node = await logged({ config })
  for (let i = 0; i < 3; i++) await node.ask('/api/v1/version')
  const told = node.lines.filter(({ msg }) => /not in http\.trusted_proxies/.test(String(msg)))
  assert.deepEqual(
    told.map((it) => it['proxy.address']),
    ['127.0.0.1'],
  )
})

test('each failed sign-in is one line that the filter for fail2ban finds', async () => {
  const filter = /^failregex = (.+)$/m.exec(await readFile('docs/logging.md', 'utf8'))?.[1] ?? ''
  const pattern = new RegExp(filter.replace('<HOST>', '(?<host>[\\w.:]+)'))
  await using node = await logged()
  const failed = async (by: string, path: string, init: RequestInit) => {
    node.lines.length = 0
    const { status } = await node.ask(path, init)
    assert.ok(status >= 400, `${by}: ${status}`)
    const found = node.lines.filter((line) => pattern.test(JSON.stringify(line)))
    assert.equal(found.length, 1, by)
    // As fail2ban reads it from the journal of systemd.
    assert.match(`node1 bloomery[42]: ${JSON.stringify(found[0])}`, pattern)
    assert.equal(pattern.exec(JSON.stringify(found[0]))?.groups?.host, ADDRESS)
    assert.equal(found[0]?.['sign_in.by'], by)
    return found[0]?.['user.login']
  }
  const user = '/api/v1/user'
  assert.equal(await failed('password', user, { headers: basic('ann', 'wrong-password') }), 'ann')
  assert.equal(await failed('password', user, { headers: basic('my-password', 'x') }), undefined)
  await failed('token', user, { headers: { authorization: `token ${'a'.repeat(40)}` } })
  const body = new URLSearchParams({ form: 'sign-in', name: 'ann', password: 'wrong-password' })
  await failed('password', '/user/login', { method: 'POST', body, headers: BROWSER })
  node.lines.length = 0
  await node.ask(user, { headers: { authorization: `token ${forge.tokenOf('ann')}` } })
  assert.ok(!node.lines.some((line) => pattern.test(JSON.stringify(line))))
})

test('while the database is away, clients get words and the log gets one line', async () => {
  const url = 'postgres://nobody@127.0.0.1:1/none'
  const db = openDb(openPool({ url, poolMax: 2, connectTimeoutMs: 2_000, statementTimeoutMs: 2_000 }))
  await using node = await logged({ db, transactions: db })
  const authorization = `token ${forge.tokenOf('ann')}`
  const page = await node.ask('/ann/site', { headers: BROWSER })
  assert.equal(page.status, 503)
  assert.match(page.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const text = await page.text()
  assert.match(text, /The forge is temporarily unavailable/)
  assert.match(text, /database is unavailable/)
  assert.match(text, /<link rel="stylesheet"/)
  for (let i = 0; i < 10; i++)
    assert.equal((await node.ask('/api/v1/user', { headers: { authorization } })).status, 503)
  const git = await node.ask('/ann/site.git/info/refs?service=git-upload-pack', {
    headers: { authorization },
  })
  assert.match(await git.text(), /database is unavailable/)
  const told = node.lines.filter(({ level }) => level === 'error')
  assert.deepEqual(
    told.map(({ msg }) => msg),
    ['database unavailable'],
  )
  assert.match(JSON.stringify(told[0]?.err), /ECONNREFUSED/)
  await db.destroy()
})

test('while the object store is away, the log names its address and the cause', async () => {
  const options = { endpoint: 'http://127.0.0.1:1', region: 'a', bucket: 'forge', accessKeyId: 'a' }
  const timeouts = { requestTimeoutMs: 2_000, connectTimeoutMs: 2_000 }
  const store = await openObjectStore({ driver: 's3', secretAccessKey: 'b', ...options, ...timeouts })
  await using node = await logged({ store })
  for (let i = 0; i < 2; i++) {
    const answer = await node.ask(`/api/v1/repos/ann/site/contents/f${i}`, {
      method: 'POST',
      headers: { authorization: `token ${forge.tokenOf('ann')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'YQ==', message: 'm' }),
    })
    assert.equal(answer.status, 503)
  }
  const told = node.lines.filter(({ level }) => level === 'error')
  assert.equal(told.length, 1, JSON.stringify(told))
  assert.equal(told[0]?.msg, 'request failed: unavailable')
  assert.equal(told[0]?.['store.address'], 'http://127.0.0.1:1/forge')
  assert.equal(told[0]?.['store.failure'], 'ECONNREFUSED')
  await store.close()
})
