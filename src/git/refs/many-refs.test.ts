/** Many refs: their number is limited, and advertising them takes little memory. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { type Forge, GitClient, startForge } from '#testing'
import { pktText } from '../protocol/pkt-line.ts'
import { growGeneration } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import { selectNamed } from './read.ts'

const MIB = 1024 * 1024
const REFS_MAX = 60_000

let forge: Forge
let tip = ''
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'git.refs_max': REFS_MAX } })
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

async function open(name: string): Promise<GitClient> {
  await forge.call('ann', 'POST', '/user/repos', { name })
  const ann = await GitClient.open(forge, 'ann', `ann/${name}`)
  tip = await ann.commit('file', 'content')
  await ann.ok('push', '--quiet', 'origin', 'main')
  return ann
}

/** Inserts refs as if they had been pushed. */
async function fill(name: string, count: number, ref: string): Promise<void> {
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  await sql`insert into git_ref (storage_id, name, oid, peeled_oid, generation)
    select ${storage_id}, ${ref}::text || i, ${tip}, null, 1 from generate_series(1, ${count}::int) i`.execute(
    forge.db,
  )
  await transact(forge.ctx, (ctx) => growGeneration(ctx.db, storage_id, { now: ctx.now() }))
}

function lsRefs(...prefixes: readonly string[]): string {
  const args = prefixes.map((prefix) => pktText(`ref-prefix ${prefix}\n`)).join('')
  return `${pktText('command=ls-refs\n')}0001${args}0000`
}

const V2 = { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' }

async function namesTold(repo: string, ...prefixes: readonly string[]): Promise<string[]> {
  const { body } = await forge.call(
    null,
    'POST',
    `//ann/${repo}.git/git-upload-pack`,
    lsRefs(...prefixes),
    V2,
  )
  return [...String(body).matchAll(/[0-9a-f]{40} (\S+)/g)].map(([, name = '']) => name)
}

test('a ref is found by its name without reading the others, also when most storages have few refs', async () => {
  await sql`insert into git_ref (storage_id, name, oid, generation)
    select -i, 'refs/heads/main', ${'a'.repeat(40)}, 1 from generate_series(1, 50000) i
    union all select 1000000, 'refs/heads/' || i, ${'a'.repeat(40)}, 1 from generate_series(1, 5000) i`.execute(
    forge.db,
  )
  await sql`analyze git_ref`.execute(forge.db)
  const query = selectNamed(forge.db, 1_000_000 as StorageId, ['refs/heads/17']).compile()
  const plan = await forge.db.transaction().execute(async (tx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
    await sql`prepare asked as ${sql.raw(query.sql)}`.execute(tx)
    const { rows } = await sql`explain (analyze, format json)
      execute asked ('{refs/heads/17}', 1000000)`.execute(tx)
    await sql`deallocate asked`.execute(tx)
    return JSON.stringify(rows)
  })
  assert.match(plan, /Index Cond/)
  assert.doesNotMatch(plan, /Rows Removed by Filter/)
  await sql`delete from git_ref where storage_id < 0 or storage_id = 1000000`.execute(forge.db)
})

test('a push above the limit of refs is refused ref by ref, and deletions make room', async () => {
  await using ann = await open('full')
  await fill('full', REFS_MAX - 3, 'refs/tags/t')
  const pushed = await ann.run('push', 'origin', ...['a', 'b', 'c'].map((it) => `main:refs/heads/${it}`))
  assert.match(pushed.output, /\[new branch\] +main -> a\n/)
  assert.match(pushed.output, /main -> c \(too many refs in the repository\)/)
  assert.equal(pushed.output.match(/\[new branch\]/g)?.length, 2)
  const atomic = await ann.run('push', '--atomic', 'origin', 'main:refs/heads/d', 'main:refs/heads/e')
  assert.notEqual(atomic.code, 0)
  await ann.ok('push', 'origin', ':refs/heads/a', 'main:refs/heads/f')
  await ann.commit('file', 'more')
  await ann.ok('push', 'origin', 'main')
})

test('refs of many pages are all advertised, once and in order, for any prefixes', async () => {
  await using ann = await open('many')
  await fill('many', 4_500, 'refs/heads/b')
  await fill('many', 4_500, 'refs/tags/t')
  const { rows } = await sql<{ name: string }>`select git_ref.name from git_ref join repository
    on repository.storage_id = git_ref.storage_id where repository.name = 'many'
    order by git_ref.name`.execute(forge.db)
  const all = rows.map(({ name }) => name)
  const below = (...prefixes: string[]) => all.filter((name) => prefixes.some((it) => name.startsWith(it)))
  for (const version of ['0', '2']) {
    await ann.ok('config', 'protocol.version', version)
    const told = (await ann.ok('ls-remote', 'origin')).split('\n').map((line) => line.split('\t')[1])
    assert.deepEqual(told, ['HEAD', ...all])
  }
  for (const prefixes of [
    ['refs/tags/', 'refs/', 'none', 'refs/heads/b1'],
    ['refs/tags/t1', 'refs/heads/b', 'refs/tags/t12', 'refs/heads/main'],
    ['refs/tags/t4', 'refs/heads/b2', 'refs/heads/b4', 'refs/heads/b3'],
    ['refs/heads/main'],
    ['none'],
  ])
    assert.deepEqual(await namesTold('many', ...prefixes), below(...prefixes), prefixes.join())
})

test('advertisements that clients do not read take little memory', async () => {
  await using _ann = await open('heavy')
  await fill('heavy', 50_000, `refs/tags/${'long'.repeat(50)}`)
  const before = process.memoryUsage().arrayBuffers
  const sockets = Array.from({ length: 20 }, (_, i) => {
    const body = lsRefs('refs/', `none-${i}`)
    const head = Object.entries({ ...V2, host: 'x', 'content-length': body.length })
    const socket = connect(Number(new URL(forge.base).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST /ann/heavy.git/git-upload-pack HTTP/1.1\r\n${head.map((it) => it.join(': ')).join('\r\n')}`,
    )
    socket.write(`\r\n\r\n${body}`)
    return socket
  })
  const timeout = AbortSignal.timeout(60_000)
  await Promise.all(sockets.map((socket) => once(socket, 'readable', { signal: timeout })))
  let most = 0
  for (let i = 0; i < 20; i++) {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    await sleep(50)
  }
  for (const socket of sockets) socket.destroy()
  assert.ok(most < 128 * MIB, `${Math.round(most / MIB)} MiB are held`)
})
