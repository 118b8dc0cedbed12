/** Live updates over real connections, on one and on two nodes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWorld, slices, web } from '#cli'
import { buildApp } from '#http'
import { type Forge, startForge, until } from '#testing'
import { findFreePorts } from '../../../../cli/free-ports.ts'

const NEVER_MS = 600_000
const ISSUES = '/repos/ann/forge/issues'

interface Heard {
  readonly event: string
  readonly data: Record<string, unknown>
}

/** A client that records the events it receives. */
class Ear {
  readonly status: number
  readonly type: string | null
  readonly heard: Heard[] = []
  beats = 0
  isOver = false
  private readonly controller: AbortController

  private constructor(response: Response, controller: AbortController) {
    this.status = response.status
    this.type = response.headers.get('content-type')
    this.controller = controller
    this.listen(response).catch(() => {
      this.isOver = true
    })
  }

  static async open(base: string, token: string | null, query = ''): Promise<Ear> {
    const controller = new AbortController()
    const headers: Record<string, string> = token === null ? {} : { authorization: `token ${token}` }
    const { signal } = controller
    return new Ear(await fetch(`${base}/user/events${query}`, { headers, signal }), controller)
  }

  /** All unread counts received. */
  get counts(): unknown[] {
    return this.heard.filter(({ event }) => event === 'notification-count').map(({ data }) => data.Count)
  }

  get changes(): number {
    return this.heard.filter(({ event }) => event === 'issue-changed').length
  }

  leave(): void {
    this.controller.abort()
  }

  private async listen(response: Response): Promise<void> {
    let text = ''
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.take(block)
    }
    this.isOver = true
  }

  private take(block: string): void {
    const [, event = '', data = '{}'] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
    if (event === '') this.beats += 1
    else this.heard.push({ event, data: JSON.parse(data) })
  }
}

async function startPeople(config: Parameters<typeof startForge>[0]): Promise<Forge> {
  const forge = await startForge(config)
  for (const login of ['ann', 'bob', 'cat']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'forge' })
  return forge
}
async function issue(forge: Forge): Promise<number> {
  const { status, body } = await forge.call('bob', 'POST', ISSUES, { title: 'work' })
  assert.equal(status, 201)
  await forge.runJobs()
  await forge.call('ann', 'PUT', '/notifications')
  return body.number
}
const say = async (forge: Forge, as: string, number: number) => {
  forge.advance(1_000)
  assert.equal((await forge.call(as, 'POST', `${ISSUES}/${number}/comments`, { body: 'word' })).status, 201)
  await forge.runJobs()
}

/** Starts another node on the same database. */
async function startOther(forge: Forge): Promise<{ base: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-other-'))
  const listening = { host: '127.0.0.1', port: 0 }
  const open = await openWorld(forge.world.config, { listening, cacheFolder: folder })
  const app = buildApp({
    world: open.world,
    routes: slices.flatMap((it) => it.routes),
    internalOperations: slices.flatMap((it) => it.internalOperations),
    rawRoutes: slices.flatMap((it) => it.rawRoutes),
    web,
    isReady: async () => undefined,
  })
  return {
    base: await app.listen(listening),
    async [Symbol.asyncDispose]() {
      await app.close()
      await open.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function threeHear(forge: Forge): Promise<void> {
  await using other = await startOther(forge)
  const number = await issue(forge)
  const watched = `?issue=ann/forge/${number}`
  const ann = await Ear.open(forge.base, forge.tokenOf('ann'))
  const bob = await Ear.open(other.base, forge.tokenOf('bob'), watched)
  const cat = await Ear.open(other.base, forge.tokenOf('cat'), watched)
  for (const ear of [ann, bob, cat]) {
    assert.equal(ear.status, 200)
    assert.match(ear.type ?? '', /^text\/event-stream/)
    await until(() => ear.counts.length === 1)
    assert.deepEqual(ear.counts, [0])
  }
  await say(forge, 'ann', number)
  await until(() => bob.counts.length === 2 && bob.changes >= 1 && cat.changes >= 1)
  assert.deepEqual(bob.counts, [0, 1])
  await say(forge, 'bob', number)
  await until(() => ann.counts.length === 2 && cat.changes >= 2)
  assert.deepEqual(ann.counts, [0, 1])
  await forge.call('bob', 'PUT', '/notifications')
  await until(() => bob.counts.length === 3)
  assert.deepEqual(bob.counts, [0, 1, 0])
  assert.deepEqual(
    [ann.changes, cat.counts],
    [0, [0]],
    'nobody hears what they did not ask for, or is not theirs',
  )
  for (const ear of [ann, bob, cat]) ear.leave()
  await until(() => forge.world.live.size === 0)
}

test('three clients on two nodes receive their updates over the bus', async () => {
  await using nats = await startNats()
  const config = { 'bus.nats_url': nats.url, 'live.poll_ms': NEVER_MS }
  await using forge = await startPeople({ config })
  await threeHear(forge)
})

test('without a bus, nodes find changes by polling', async () => {
  await using forge = await startPeople({ config: { 'live.poll_ms': 100 } })
  await threeHear(forge)
})

test('a user who may not read an issue receives nothing of it, also if it becomes private during the stream', async () => {
  await using forge = await startPeople({ config: { 'live.poll_ms': 100 } })
  const number = await issue(forge)
  const open = (as: string | null, query = '') =>
    Ear.open(forge.base, as === null ? null : forge.tokenOf(as), query)
  assert.equal((await open(null)).status, 401)
  assert.equal((await open('cat', '?issue=ann/forge')).status, 422)
  assert.equal((await open('cat', '?issue=ann/forge/4711')).status, 404)
  assert.equal((await open('cat', '?issue=ann/none/1')).status, 404)
  await forge.person('dan', {}, ['read:user'])
  assert.equal((await open('dan')).status, 403)
  assert.equal((await forge.call('cat', 'HEAD', '//user/events')).status, 404)
  const cat = await open('cat', `?issue=ann/forge/${number}`)
  await until(() => cat.counts.length === 1)
  await forge.call('ann', 'PATCH', '/repos/ann/forge', { private: true })
  await say(forge, 'ann', number)
  await until(() => cat.isOver)
  assert.equal(cat.changes, 0)
  assert.equal((await open('cat', `?issue=ann/forge/${number}`)).status, 404)
  await until(() => forge.world.live.size === 0)
})

test('a stream sends heartbeats, and ends when its token is revoked', async () => {
  await using forge = await startPeople({ config: { 'live.heartbeat_ms': 50, 'live.recheck_ms': 50 } })
  const ear = await Ear.open(forge.base, forge.tokenOf('ann'))
  await until(() => ear.beats > 3)
  assert.equal(ear.isOver, false)
  await forge.db.deleteFrom('access_token').execute()
  await until(() => ear.isOver)
  assert.equal(forge.world.live.size, 0)
})

test('streams are limited per user and in total, and end when the node drains', async () => {
  const forge = await startPeople({
    config: { 'live.streams_per_user_max': 2, 'live.streams_max': 3, 'live.heartbeat_ms': NEVER_MS },
  })
  let last: Ear | undefined
  try {
    const open = (as: string) => Ear.open(forge.base, forge.tokenOf(as))
    const [first] = [await open('ann'), await open('ann')]
    assert.equal((await open('ann')).status, 429)
    last = await open('bob')
    assert.equal(last.status, 200)
    assert.equal((await open('cat')).status, 429)
    first?.leave()
    await until(() => forge.world.live.size === 2)
    assert.equal((await open('cat')).status, 200)
  } finally {
    await forge[Symbol.asyncDispose]()
  }
  const drained = last
  await until(() => drained.isOver)
  assert.equal(forge.world.live.size, 0)
})

async function startNats(): Promise<{ url: string } & AsyncDisposable> {
  const port = await findFreePorts()
  const server = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  await once(server, 'spawn')
  return {
    url: `nats://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
  }
}

test('a browser receives the topics it may see, and its stream ends with its session', async () => {
  await using forge = await startPeople({
    config: { 'live.poll_ms': 100, 'live.recheck_ms': 50, 'live.heartbeat_ms': 50 },
  })
  const number = await issue(forge)
  const { body: shown } = await forge.call('bob', 'GET', `${ISSUES}/${number}`)
  await forge.call('ann', 'POST', '/user/repos', { name: 'secret', private: true })
  const { body: hidden } = await forge.call('ann', 'POST', '/repos/ann/secret/issues', { title: 'hidden' })
  const { body: board } = await forge.call('ann', 'POST', '/repos/ann/forge/projects', {
    title: 'board',
    template_type: 'basic_kanban',
  })
  const { cookies } = await forge.browserOf('cat')
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const topics = `issue:${shown.id},issue:${hidden.id},board:${board.id},board:999999,nonsense,inbox`
  const answer = await fetch(`${forge.base}/-/live?topics=${topics}`, { headers: { cookie } })
  assert.equal(answer.status, 200)
  let text = ''
  let isOver = false
  const read = (async () => {
    for await (const bytes of answer.body ?? []) text += Buffer.from(bytes).toString()
    isOver = true
  })().catch(() => {
    isOver = true
  })
  await until(() => text.includes('event: unread\ndata: 0\n'))
  await say(forge, 'ann', number)
  await until(() => text.includes(`data: issue:${shown.id}\n`))
  forge.advance(1_000)
  await forge.call('ann', 'POST', '/repos/ann/secret/issues/1/comments', { body: 'word' })
  const { body: columns } = await forge.call('ann', 'GET', `/repos/ann/forge/projects/${board.id}/columns`)
  await forge.call(
    'ann',
    'POST',
    `/repos/ann/forge/projects/${board.id}/columns/${columns[1].id}/issues/${shown.id}`,
  )
  await until(() => text.includes(`data: board:${board.id}\n`))
  assert.ok(!text.includes(`issue:${hidden.id}\n`))
  await forge.db.deleteFrom('web_session').execute()
  await until(() => isOver)
  await read
  assert.equal((await fetch(`${forge.base}/-/live`, { headers: { cookie } })).status, 401)
})
