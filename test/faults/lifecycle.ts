/** Repositories and owners are deleted, renamed and transferred during work, by a node that is killed meanwhile. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosForge } from '../chaos/chaos-forge.ts'
import type { ChaosNode } from '../chaos/chaos-node.ts'
import { tryGit } from '../chaos/git.ts'
import { spring } from '../chaos/monkey.ts'
import { COMMIT_POINTS, type CommitPoint } from '../chaos/postgres-proxy.ts'
import { DEEDS, type Deed, findPlace } from './deeds.ts'
import {
  findFailingJobs,
  findMiscounts,
  findOrphanedObjects,
  findStrays,
  untilSettled,
} from './half-states.ts'
import { must, newPlace, type Scene } from './scene.ts'
import { type Place, Work } from './work.ts'

const TRAP_MS_MAX = 60_000
/** Work continues for this long after an operation. */
const AFTER_DEED_MS = 500
/** At its COMMIT, or not at all. */
const KILLS = [...COMMIT_POINTS, undefined]

/** Returns a description of what was done. */
export async function playLifecycle(scene: Scene): Promise<string[]> {
  const { forge, dice, rounds } = scene
  const said: string[] = []
  const first = dice.below(KILLS.length)
  for (let round = 0; round < rounds; round++)
    for (const [i, deed] of DEEDS.entries())
      said.push(await play(scene, deed, KILLS[(first + round + i) % KILLS.length]))
  await forge.calm()
  assert.deepEqual(await findFailingJobs(forge.db), [])
  assert.deepEqual(await findStrays(forge.db), [])
  assert.deepEqual(await findMiscounts(forge.db), [])
  assert.deepEqual(await findOrphanedObjects(forge.db, join(forge.folder, 'objects')), [])
  return said
}

/** One operation during work; its node is killed at a point of its COMMIT, or survives. */
async function play(scene: Scene, deed: Deed, point: CommitPoint | undefined): Promise<string> {
  const { forge, dice } = scene
  const place = await newPlace(scene)
  const work = new Work(forge, dice.fork(), place)
  let isOver = false
  const working = work.goOn(() => isOver)
  while (Object.values(work.acknowledged).includes(0)) await sleep(20)
  const node = await forge.pickNode(dice)
  const status = await doDeed(forge, deed, place, node, point)
  await sleep(AFTER_DEED_MS)
  isOver = true
  await working
  await untilSettled(forge.db)
  const what = `${deed.name}, killed ${point ?? 'never'}: ${status}`
  await checkDeed(scene, what, deed, place, work, { point, status })
  const { refused, unanswered } = work.counts
  return `${what}, ${JSON.stringify({ ...work.acknowledged, refused, unanswered })}`
}

async function doDeed(
  forge: ChaosForge,
  { method, path, body, statement }: Deed,
  place: Place,
  node: ChaosNode,
  point: CommitPoint | undefined,
): Promise<number | 'unanswered'> {
  node.postgres.watched = statement
  const reached = point === undefined ? undefined : spring(node, point, TRAP_MS_MAX)
  const asked = forge.call(node, method, path(place), body?.(place)).then(
    ({ status }) => status,
    () => 'unanswered' as const,
  )
  if (reached !== undefined) {
    const held = await reached
    assert.ok(held, `nobody came to ${point}`)
    await node.kill()
    held.reset()
    void node.start()
  }
  return asked
}

async function checkDeed(
  scene: Scene,
  what: string,
  deed: Deed,
  place: Place & { readonly id: number },
  work: Work,
  { point, status }: { point: CommitPoint | undefined; status: number | 'unanswered' },
): Promise<void> {
  const { forge } = scene
  assert.deepEqual(work.faults, [], what)
  const found = await findPlace(forge.db, place.id)
  const done = deed.leadsTo(place)
  const isDone = found?.owner !== place.owner || found.name !== place.name
  if (isDone) assert.deepEqual(found, done, what)
  if (point === 'before-commit') assert.equal(isDone, false, what)
  if (point === 'after-commit') assert.equal(isDone, true, what)
  if (point === undefined) {
    assert.ok(status !== 'unanswered' && status < 300, what)
    assert.equal(isDone, true, what)
  }
  for (const node of forge.live) await checkAnswers(forge, what, node, place, found)
  if (found !== undefined) await checkKept(scene, what, place.id, found, work)
  else if (deed.name.includes('repository'))
    await must(scene, 'POST', `/admin/users/${place.owner}/repos`, { name: place.name })
  for (const path of work.forks) await checkFork(scene, what, path)
}

/** Every node answers the same: the repository under its current name, and nothing or the same under its former name. */
async function checkAnswers(
  forge: ChaosForge,
  what: string,
  node: ChaosNode,
  place: Place & { readonly id: number },
  found?: Place,
) {
  for (const { owner, name } of [place, ...(found === undefined ? [] : [found])]) {
    const answer = await forge.call(node, 'GET', `/repos/${owner}/${name}`)
    assert.equal(answer.status, found === undefined ? 404 : 200, `${what}: ${owner}/${name} on ${node.url}`)
    if (found !== undefined) assert.equal(((await answer.json()) as { id: number }).id, place.id, what)
  }
}

async function checkKept(
  scene: Scene,
  what: string,
  id: number,
  { owner, name }: Place,
  work: Work,
): Promise<void> {
  const refs = await scene.forge.db
    .selectFrom('git_ref')
    .innerJoin('repository', 'repository.storage_id', 'git_ref.storage_id')
    .select(['git_ref.name', 'git_ref.oid'])
    .where('repository.id', '=', id)
    .execute()
  const there = new Map(refs.map((ref) => [ref.name, ref.oid]))
  for (const [ref, oid] of work.pushed)
    assert.equal(there.get(ref), oid, `${what}: an acknowledged push is lost`)
  for (const number of work.issues) await must(scene, 'GET', `/repos/${owner}/${name}/issues/${number}`)
}

async function checkFork({ forge, dice }: Scene, what: string, path: string): Promise<void> {
  const node = await forge.pickNode(dice)
  const folder = join(forge.folder, `clone-${randomUUID()}`)
  const cloned = await tryGit(forge.folder, [
    'clone',
    '--quiet',
    '--mirror',
    forge.gitUrl(node, { path }),
    folder,
  ])
  assert.equal(cloned.code, 0, `${what}: ${path}: ${cloned.complaint}`)
}
