/**
 * A person whom a SCIM client deactivates is refused by each of three nodes on the next request over every protocol, and
 * what they have open ends within seconds: a stream of events, a fetch, a push, an SSH session.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '#platform/must'
import { type Forge, GitClient, startForge } from '#testing'
import { ScimTestClient } from '#testing/slices/scim'
import { SshForge } from '#testing/ssh'

const NODES = 3
/** More than the buffers of a connection hold. */
const BIG_BYTES = 16_000_000
/** Longer than the check of open requests takes. */
const CUT_MS = 6_000
/** The check runs every two seconds; the machine of the test may be busy. */
const SECONDS_MAX = 15

let forge: Forge
let scim: ScimTestClient
let users: Record<string, string>
before(async () => {
  forge = await startForge({ nodes: NODES })
  await forge.person('root', { is_admin: true })
  scim = await ScimTestClient.of(forge, 'root', 'corp')
  users = {}
  for (const login of ['ann', 'eve', 'sue']) users[login] = await scim.adopt(await forge.person(login))
  for (const login of ['ann', 'eve']) await forge.call(login, 'POST', '/user/repos', { name: 'big' })
  await using git = await GitClient.open(forge, 'ann', 'ann/big')
  await git.commit('big.bin', randomBytes(BIG_BYTES).toString('latin1'))
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
})
after(() => forge[Symbol.asyncDispose]())

const setActive = (login: string, active: boolean) =>
  scim.patch(`/Users/${users[login]}`, { op: 'replace', path: 'active', value: active })
const basic = (login: string) => `Basic ${btoa(`${login}:${forge.tokenOf(login)}`)}`
const baseOf = (node: number) => forge.bases[node] ?? ''

/** Starts `stream`, deactivates the person, and returns after how many seconds the stream ended. */
async function secondsUntilEnd(login: string, stream: Promise<unknown>): Promise<number> {
  let isOver = false
  const ended = stream.then(
    () => 'done',
    () => 'cut',
  )
  void ended.then(() => {
    isOver = true
  })
  await sleep(1_500)
  assert.equal(isOver, false, 'the stream ended by itself')
  const began = performance.now()
  assert.equal((await setActive(login, false)).status, 200)
  const late = sleep(SECONDS_MAX * 1_000, 'late', { ref: false })
  assert.notEqual(await Promise.race([ended, late]), 'late')
  const seconds = (performance.now() - began) / 1_000
  console.log(JSON.stringify({ stream: login, seconds: Number(seconds.toFixed(1)) }))
  await setActive(login, true)
  return seconds
}

test('a stream of events ends', async () => {
  const response = await fetch(`${baseOf(0)}/user/events`, { headers: { authorization: basic('ann') } })
  assert.equal(response.status, 200)
  const read = async () => {
    for await (const _ of response.body ?? []);
  }
  await secondsUntilEnd('ann', read())
})

test('a fetch over HTTP ends before all of it was sent', async () => {
  const { body } = await forge.call('ann', 'GET', '/repos/ann/big/branches/main')
  const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`
  const wants = `${line('command=fetch\n')}0001${line(`want ${body.commit.id}\n`)}${line('done\n')}0000`
  const response = await fetch(`${baseOf(1)}/ann/big/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: basic('ann'),
      'git-protocol': 'version=2',
      'content-type': 'application/x-git-upload-pack-request',
    },
    body: wants,
  })
  assert.equal(response.status, 200)
  const reader = must(response.body, 'the answer has a body').getReader()
  let bytes = (await reader.read()).value?.length ?? 0
  await sleep(1_500)
  await setActive('ann', false)
  // The client does not read meanwhile; buffers of the connection hold a part of the rest.
  await sleep(CUT_MS)
  await assert.rejects(async () => {
    for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length
  })
  assert.ok(bytes < BIG_BYTES, String(bytes))
  await setActive('ann', true)
})

test('a push over HTTP ends, and moves nothing', async () => {
  const pushing = request(`${baseOf(2)}/eve/big/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: basic('eve'),
      'content-type': 'application/x-git-receive-pack-request',
      'transfer-encoding': 'chunked',
    },
  })
  const ended = Promise.race([
    once(pushing, 'close'),
    once(pushing, 'response').then(([it]) => once(it, 'close')),
  ])
  pushing.on('error', () => undefined)
  const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0report-status`
  pushing.write(`${(command.length + 4).toString(16).padStart(4, '0')}${command}0000PACK`)
  await secondsUntilEnd('eve', ended)
  assert.deepEqual((await forge.call('eve', 'GET', '/repos/eve/big/branches')).body, [])
})

test('every node refuses the next request over every protocol', async () => {
  const browser = await forge.browserOf('sue')
  const session = { cookie: `session=${browser.cookies.get('session')}` }
  const lfs = {
    accept: 'application/vnd.git-lfs+json',
    'content-type': 'application/vnd.git-lfs+json',
  }
  const authorization = basic('sue')
  const requests = [
    ['REST', '/api/v1/user', { authorization: `token ${forge.tokenOf('sue')}` }, undefined],
    ['git', '/ann/big.git/info/refs?service=git-upload-pack', { authorization }, undefined],
    [
      'LFS',
      '/ann/big.git/info/lfs/objects/batch',
      { authorization, ...lfs },
      '{"operation":"download","objects":[]}',
    ],
    ['packages', '/api/packages/ann/npm/x', { authorization }, undefined],
    ['containers', '/v2/token?service=container_registry', { authorization }, undefined],
    ['pages', '/user/settings', session, undefined],
    ['events', '/user/events', { authorization }, undefined],
  ] as const
  const statuses = async (base: string) => {
    const found: Record<string, number> = {}
    for (const [name, path, headers, body] of requests) {
      const controller = new AbortController()
      const { status } = await fetch(`${base}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers,
        signal: controller.signal,
        ...(body !== undefined && { body }),
      })
      controller.abort()
      found[name] = status
    }
    return found
  }
  const before = await statuses(baseOf(0))
  for (const [name, status] of Object.entries(before))
    assert.ok([200, 404].includes(status), `${name} ${status}`)
  await setActive('sue', false)
  for (const base of forge.bases) {
    const { pages, ...others } = await statuses(base)
    assert.ok(pages === 302 || pages === 303 || pages === 403, `pages ${pages}`)
    for (const [name, status] of Object.entries(others))
      assert.ok([401, 403].includes(status), `${name} ${status}`)
  }
  await setActive('sue', true)
  assert.deepEqual(await statuses(baseOf(1)), before)
})

test('an SSH session ends, and the next one is refused', async () => {
  await using sshd = await SshForge.open()
  await sshd.forge.person('root', { is_admin: true })
  const client = await ScimTestClient.of(sshd.forge, 'root', 'corp')
  const id = await client.adopt(await sshd.forge.person('ann'))
  const key = await sshd.makeKey('ann')
  await sshd.forge.call('ann', 'POST', '/user/keys', { title: 'laptop', key })
  await sshd.forge.call('ann', 'POST', '/user/repos', { name: 'open', auto_init: true })
  const words = ['-p', String(sshd.port), '-i', join(sshd.work, 'ann'), '-o', 'StrictHostKeyChecking=no']
  const quiet = ['-o', 'UserKnownHostsFile=/dev/null', '-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes']
  const ssh = (command: string) => {
    const child = spawn('ssh', [...words, ...quiet, sshd.host, command], { stdio: 'pipe' })
    let text = ''
    child.stderr.on('data', (chunk) => {
      text += String(chunk)
    })
    return { child, ended: once(child, 'close').then(([code]) => ({ code, text })) }
  }
  const pushing = ssh("git-receive-pack 'ann/open.git'")
  await once(pushing.child.stdout, 'data')
  await sleep(1_500)
  const began = performance.now()
  await client.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  const late = sleep(SECONDS_MAX * 1_000, { code: 'late', text: '' }, { ref: false })
  const { code } = await Promise.race([pushing.ended, late])
  pushing.child.kill()
  assert.notEqual(code, 'late')
  assert.notEqual(code, 0)
  console.log(
    JSON.stringify({ stream: 'ssh', seconds: Number(((performance.now() - began) / 1_000).toFixed(1)) }),
  )
  const next = await ssh("git-upload-pack 'ann/open.git'").ended
  assert.notEqual(next.code, 0)
  assert.match(next.text, /prohibited|suspended/)
})
