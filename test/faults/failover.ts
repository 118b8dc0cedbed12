/** An asynchronous standby is promoted without the last commits, during work on all nodes. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readFailovers } from '#domains/instance/audit'
import type { StorageId } from '#git'
import type { Db } from '#platform/db'
import { openPool, type Pool } from '#platform/pool'
import { examine } from '../../src/cli/doctor/examine.ts'
import { until } from '../attacks/kit/faults.ts'
import type { ChaosForge } from '../chaos/chaos-forge.ts'
import type { ChaosNode } from '../chaos/chaos-node.ts'
import { git } from '../chaos/git.ts'
import {
  ageObjects,
  findFailingJobs,
  findMiscounts,
  findOrphanedObjects,
  findStrays,
  listObjects,
} from './half-states.ts'
import { checkRefs, sweepAll } from './overload.ts'
import { must, newPlace, type Scene } from './scene.ts'
import { killPrimary, Standby } from './standby.ts'
import { type Place, Work } from './work.ts'

/** PostgreSQL writes 32 values of a sequence ahead to its WAL: only values beyond those are handed out again. */
const NUMBERS_LOST = 200
const PACKS_FOLDER = 'git/packs/'
const UNAVAILABLE = 503
const LOAD_MS = 1_500
const READY_MS_MAX = 60_000

interface Lost {
  readonly push: Push
  readonly storageId: StorageId
}

/** Ref and commit. Work names a branch after the blob in it. */
type Push = readonly [ref: string, commit: string]

interface Found extends Place {
  readonly id: number
}

export async function playFailover(scene: Scene): Promise<string[]> {
  const { forge, dice } = scene
  await using stack = new AsyncDisposableStack()
  const standby = stack.use(await Standby.open(forge))
  const primary = openPool({
    url: primaryUrl(forge),
    poolMax: 2,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 60_000,
  })
  stack.defer(() => primary.end())
  const place = await newPlace(scene)
  const work = new Work(forge, dice.fork(), place)
  await work.open()
  await work.push()
  assert.equal(work.pushed.size, 1)
  await using hold = await holdJobs(primary)
  await work.push()
  await until('jobs are in hand', () => areInHand(forge.db))
  await standby.catchUp(primary)
  await standby.cutOff()
  await hold.end()
  const replicated = new Map(work.pushed)
  const lost = await loseRepository(scene, forge.db)
  // Each node has read what is about to be lost, and has it in memory.
  await work.push()
  const [push] = [...work.pushed].slice(-1)
  assert.ok(push)
  for (const node of forge.nodes) {
    assert.deepEqual(await statusesOf(forge, node, place, push), [200, 200])
    assert.deepEqual(await statusesOf(forge, node, lost, lost.push), [200, 200])
  }
  await workThrough(forge, work, standby)
  await until('all nodes are ready again', () => areReady(forge), READY_MS_MAX)
  await checkTruth(forge, standby.db, place, replicated)
  for (const node of forge.nodes) {
    const statuses = await statusesOf(forge, node, place, push)
    assert.ok(!statuses.includes(200), `a node knows a push that was lost: ${statuses}`)
    const gone = await forge.call(node, 'GET', `/repos/${lost.owner}/${lost.name}`)
    assert.equal(gone.status, 404, 'a node knows a repository that was lost')
  }
  await checkTold(forge, standby.url, lost)
  await checkReuse(scene, standby.db, lost)
  await goOn(scene, standby.db, place)
  // The standby is stopped with this test, and nodes would only log errors.
  await forge.stopNodes()
  return [`${work.pushed.size} pushes were acknowledged before, ${replicated.size} of them replicated`]
}

function primaryUrl(forge: ChaosForge): string {
  const sockets = encodeURIComponent(join(forge.folder, 'postgres/run'))
  return `postgres://postgres@localhost/bloomery?host=${sockets}&port=5432`
}

/** A private repository with an id that the new primary will hand out again. */
async function loseRepository(scene: Scene, db: Db): Promise<Found & Lost> {
  await sql`select nextval(pg_get_serial_sequence('git_storage', 'id'))
    from generate_series(1, ${NUMBERS_LOST})`.execute(db)
  const place = await newPlace(scene)
  await must(scene, 'PATCH', `/repos/${place.owner}/${place.name}`, { private: true })
  const work = new Work(scene.forge, scene.dice.fork(), place)
  await work.open()
  await work.push()
  const [push] = work.pushed
  assert.ok(push)
  const { storage_id } = await db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', place.id)
    .executeTakeFirstOrThrow()
  return { ...place, push, storageId: storage_id }
}

/** The primary dies during pushes on every node; the standby takes its place. */
async function workThrough(forge: ChaosForge, work: Work, standby: Standby): Promise<void> {
  let isOver = false
  const pushing = async () => {
    while (!isOver) await work.push()
  }
  const working = [pushing(), pushing()]
  await sleep(LOAD_MS)
  await killPrimary(forge)
  for (const { postgres } of forge.nodes) {
    postgres.leadTo(standby.socket)
    postgres.reset()
  }
  // It answers reads, with what was true when it was cut off.
  for (const node of forge.nodes)
    assert.equal((await forge.call(node, 'GET', '/user')).status, UNAVAILABLE, 'a node reads from a standby')
  await standby.promote()
  isOver = true
  await Promise.all(working)
}

async function areReady(forge: ChaosForge): Promise<boolean> {
  const answers = await Promise.all(
    forge.nodes.map(({ url }) =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  )
  return answers.every((ok) => ok)
}

/** Every node advertises the refs in PostgreSQL, and a clone has every object they need. */
async function checkTruth(
  forge: ChaosForge,
  db: Db,
  { id, owner, name }: Found,
  kept: ReadonlyMap<string, string>,
): Promise<void> {
  const refs = await db
    .selectFrom('git_ref')
    .innerJoin('repository', 'repository.storage_id', 'git_ref.storage_id')
    .select(['git_ref.name', 'git_ref.oid'])
    .where('repository.id', '=', id)
    .execute()
  const truth = new Map(refs.map((ref) => [ref.name, ref.oid]))
  for (const [ref, oid] of kept) assert.equal(truth.get(ref), oid, 'what was replicated is lost')
  for (const node of forge.nodes) {
    const url = forge.gitUrl(node, { path: `${owner}/${name}` })
    const told = (await git(forge.folder, ['ls-remote', '--heads', url])).split('\n')
    assert.deepEqual(told.sort(), [...truth].map(([ref, oid]) => `${oid}\t${ref}`).sort(), node.url)
    await checkRefs(forge, url, truth)
  }
}

/** `bloomery doctor` names what is lost. */
async function checkTold(forge: ChaosForge, url: string, lost: Place): Promise<void> {
  const { store, config } = forge.ctx
  const read = () => readFailovers(store, new Date(0))
  await until('every node has told of the failover', async () => (await read()).length === forge.nodes.length)
  const operations = (await read()).flatMap((it) => it.operations)
  const ofLost = operations.filter(({ target }) => target.includes(lost.name)).map((it) => it.operation)
  assert.deepEqual([...new Set(ofLost)].sort(), ['gitReceivePack', 'repoEdit'])
  const findings = await Array.fromAsync(examine({ ...config, 'database.url': url }, ['failovers']))
  assert.deepEqual(
    findings.map(({ state }) => state),
    ['warning'],
  )
}

/** A repository with the id of a lost one has nothing of it, on any node, and is usable. */
async function checkReuse(scene: Scene, db: Db, lost: Lost): Promise<void> {
  const { forge } = scene
  const { rows } = await sql<{ last: number }>`select setval(pg_get_serial_sequence('git_storage', 'id'),
    ${lost.storageId - 1}) as last where ${lost.storageId} > nextval(pg_get_serial_sequence('git_storage', 'id'))`.execute(
    db,
  )
  assert.equal(rows.length, 1, 'no number came again: the test proves nothing')
  const place = await newPlace(scene, 'sha256')
  const { storage_id } = await db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', place.id)
    .executeTakeFirstOrThrow()
  assert.equal(storage_id, lost.storageId)
  for (const node of forge.nodes)
    assert.ok(
      !(await statusesOf(forge, node, place, lost.push)).includes(200),
      'objects of a private repository that was lost are shown in another',
    )
  const path = `/repos/${place.owner}/${place.name}/contents/file`
  for (const [i, node] of forge.nodes.entries()) {
    const body = { content: 'aXJvbg==', message: 'iron', branch: 'main' }
    const answer = await forge.call(node, 'POST', `${path}-${i}`, body)
    assert.equal(answer.status, 201, `${node.url}: ${await answer.clone().text()}`)
  }
}

/** All kinds of work continue, on all nodes, and no inconsistent state is left. */
async function goOn(scene: Scene, db: Db, place: Found): Promise<void> {
  const { forge, dice } = scene
  const work = new Work(forge, dice.fork(), place)
  let isOver = false
  const working = work.goOn(() => isOver)
  await until('all work is acknowledged', () => !Object.values(work.acknowledged).includes(0))
  isOver = true
  await working
  assert.deepEqual(work.faults, [])
  await checkTruth(forge, db, place, work.pushed)
  assert.deepEqual(await findFailingJobs(db), [])
  assert.deepEqual(await findMiscounts(db), [])
  assert.deepEqual(await findStrays(db), [])
  await checkSwept(scene, db)
  await checkTruth(forge, db, place, work.pushed)
}

/** Packs whose rows were lost are deleted eventually. */
async function checkSwept(scene: Scene, db: Db): Promise<void> {
  const folder = join(scene.forge.folder, 'objects')
  const findLost = async () =>
    (await findOrphanedObjects(db, folder)).filter((it) => it.includes(PACKS_FOLDER))
  assert.ok((await findLost()).length > 0, 'no pack was lost: the test proves nothing')
  await ageObjects(folder)
  await must(scene, 'POST', '/admin/cron/sweep_lost_packs')
  await until('packs without a row are found', async () => (await findLost()).length === 0)
  const before = (await listObjects(folder)).length
  await sweepAll(scene, db)
  assert.ok((await listObjects(folder)).length < before, 'nothing was deleted')
}

/** A node's answers to requests for the commit and the file of a push. */
async function statusesOf(
  forge: ChaosForge,
  node: ChaosNode,
  { owner, name }: Place,
  [ref, commit]: Push,
): Promise<number[]> {
  const objects = [`commits/${commit}`, `blobs/${ref.replace('refs/heads/', '')}`]
  const statuses: number[] = []
  for (const object of objects) {
    const answer = await forge.call(node, 'GET', `/repos/${owner}/${name}/git/${object}`)
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  return statuses
}

/** Jobs that count commits of branches end only when this ends: until then the queue counts them as held by workers. */
async function holdJobs(primary: Pool): Promise<{ end(): Promise<void> } & AsyncDisposable> {
  const client = await primary.connect()
  await client.query('begin; lock table git_branch_count in exclusive mode')
  let isOver = false
  const end = async () => {
    if (isOver) return
    isOver = true
    try {
      await client.query('rollback')
    } finally {
      client.release(true)
    }
  }
  return { end, [Symbol.asyncDispose]: end }
}

async function areInHand(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from job
    where kind = 'deliver-late' and worker is not null`.execute(db)
  return rows.length > 0
}
