/** An S3 server that answers 503 SlowDown and lists late, during work and sweeps of packs. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import { until } from '../attacks/kit/faults.ts'
import type { ChaosForge } from '../chaos/chaos-forge.ts'
import { git, tryGit } from '../chaos/git.ts'
import type { StoreWeather } from '../chaos/store-proxy.ts'
import { ageObjects, findOrphanedObjects, listObjects } from './half-states.ts'
import { must, newPlace, type Scene } from './scene.ts'
import { Work } from './work.ts'

const PUSHES = 6
const SWEEP_TASKS = ['sweep_packs', 'delete_discarded_objects'] as const
const SWEPT_MS_MAX = 60_000

export async function playOverload(scene: Scene): Promise<string[]> {
  const { forge, dice, rounds } = scene
  const place = await newPlace(scene)
  const path = `${place.owner}/${place.name}`
  const work = new Work(forge, dice.fork(), place)
  await work.open()
  const folder = join(forge.folder, 'objects')
  const stored = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    become(forge, 'busy')
    for (let i = 0; i < PUSHES; i++) await Promise.all([work.push(), work.uploadPackage()])
    assert.ok(work.pushed.size > 0, 'a busy store let no push through')
    become(forge, 'overloaded')
    for (const name of await listObjects(folder)) stored.add(name)
    const version = work.versions.pop() ?? ''
    const deleted = await forge.send(await forge.pickNode(dice), version, { method: 'DELETE' })
    assert.equal(deleted.status, 204, 'rows can be deleted while the store refuses')
    await expireGarbage(forge.db)
    const before = { ...work.counts }
    const pushed = work.pushed.size
    await Promise.all([work.push(), work.uploadPackage(), sweep(scene)])
    assert.equal(work.pushed.size, pushed, 'a push was acknowledged without its pack')
    assert.ok(work.counts.refused > before.refused, 'an upload was not refused in so many words')
    become(forge, 'fair')
    await work.push()
    assert.equal(work.pushed.size, pushed + 1, 'a push did not go through when the store was well again')
  }
  assert.deepEqual(work.faults, [])
  // A late list names packs in use and deleted packs, and all of them are old.
  await ageObjects(folder)
  for (const { store } of forge.nodes) store.listsLate = true
  await must(scene, 'POST', '/admin/cron/sweep_lost_packs')
  await until('the store was listed', async () => !(await isAnyTaskDue(forge.db)))
  for (const { store } of forge.nodes) store.listsLate = false
  await sweepAll(scene)
  const kept = new Set(await listObjects(folder))
  const gone = [...stored].filter((name) => !kept.has(name)).length
  assert.ok(gone >= rounds, 'what was given up is still stored')
  for (const node of forge.nodes) await node.deleteCache(true)
  for (const node of forge.nodes) await checkRefs(forge, forge.gitUrl(node, { path }), work.pushed)
  assert.deepEqual(await findOrphanedObjects(forge.db, folder), [])
  const struck = forge.nodes.reduce((sum, { store }) => sum + store.struck, 0)
  return [`${work.pushed.size} pushes kept, ${gone} objects swept, ${struck} requests refused by the store`]
}

function become(forge: ChaosForge, weather: StoreWeather): void {
  for (const { store } of forge.nodes) {
    store.become(weather)
    store.listsLate = weather !== 'fair'
  }
}

/** A day passes for discarded objects, so that sweepers delete them now. */
async function expireGarbage(db: Db): Promise<void> {
  await sql`update git_pack_unnamed set since = since - interval '25 hours'`.execute(db)
  await sql`update git_pack_doomed set since = since - interval '25 hours'`.execute(db)
  await sql`update discarded_object set since = since - interval '25 hours'`.execute(db)
}

async function sweep(scene: Scene): Promise<void> {
  for (const task of SWEEP_TASKS) await must(scene, 'POST', `/admin/cron/${task}`)
}

/** A failed task stays in the queue, and counts as done. */
async function isAnyTaskDue(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from job where kind = 'cron'
    and (worker is not null or attempts = 0)`.execute(db)
  return rows.length > 0
}

/** Sweeps without faults until nothing discarded is left. */
export async function sweepAll(scene: Scene, db: Db = scene.forge.db): Promise<void> {
  await until(
    'what was given up is swept',
    async () => {
      await expireGarbage(db)
      await sweep(scene)
      const { rows } = await sql`select 1 from git_pack_unnamed union all select 1 from git_pack_doomed
        union all select 1 from discarded_object`.execute(db)
      return rows.length === 0
    },
    SWEPT_MS_MAX,
    500,
  )
}

/** A clone has every acknowledged ref, and all objects it needs. */
export async function checkRefs(
  forge: ChaosForge,
  url: string,
  refs: ReadonlyMap<string, string>,
): Promise<void> {
  const folder = join(forge.folder, `clone-${randomUUID()}`)
  await git(forge.folder, ['clone', '--quiet', '--mirror', url, folder])
  const checked = await tryGit(folder, ['fsck', '--connectivity-only', '--no-dangling'])
  assert.equal(checked.code, 0, checked.complaint)
  for (const [ref, oid] of refs) assert.equal(await git(folder, ['rev-parse', ref]), oid)
}
