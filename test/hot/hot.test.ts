/**
 * One hot repository: many clients push to branches of their own, half of which have pull requests, while others fetch
 * and open pages. No push is refused for the forge's own maintenance, pushes stay as fast as they were, and a clone is as
 * fast as one of the same commits in a fresh repository.
 *
 * HOT_MINUTES is the length, HOT_RATE the pushes a minute; without them a bounded run, whose times are not compared.
 * HOT_NODES=3 pushes to three nodes on S3.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryForge } from '../try-forge.ts'
import { HotRepository, type Push } from './hot-repository.ts'

const MINUTES = Number(process.env.HOT_MINUTES ?? 0.4)
const RATE = Number(process.env.HOT_RATE ?? 200)
const NODES = Number(process.env.HOT_NODES ?? 1)
const CLIENTS = 20
/** From this length on, times are compared. */
const MEASURED_MINUTES = 5
const READ_PAUSE_MS = 2_000
/** The last part of the run is compared with the first. */
const PARTS = 6
const PUSH_RATIO_MAX = 1.5
const CLONE_RATIO_MAX = 1.2
const CLONES = 5
const DRAIN_MS_MAX = 120_000

test(`${MINUTES} minutes of ${RATE} pushes a minute into one repository: none is refused`, async (t) => {
  const cluster = NODES > 1 ? ['--nodes', String(NODES), '--store', 's3'] : []
  await using forge = await tryForge(cluster)
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-hot-'))
  try {
    const hot = await HotRepository.create(forge, folder, CLIENTS)
    const over = AbortSignal.timeout(MINUTES * 60_000)
    const pushing = Array.from({ length: CLIENTS }, (_, i) => pushAll(hot, i, over))
    const reading = readAll(hot, over)
    const pushes = (await Promise.all(pushing)).flat().sort((a, b) => a.startedAt - b.startedAt)
    const refused = pushes.flatMap(({ failure }) => (failure === undefined ? [] : [failure]))
    assert.deepEqual(refused.slice(0, 5), [], `${refused.length} of ${pushes.length} pushes failed`)
    assert.deepEqual((await reading).slice(0, 5), [])
    // At least half of the pushes were possible, or nothing was shown.
    assert.ok(pushes.length > (MINUTES * RATE) / 2, `only ${pushes.length} pushes`)
    const behind = await hot.untilHeadsFollow(DRAIN_MS_MAX)
    assert.deepEqual(behind, [], 'pull requests whose head is not their branch')
    const first = p99(pushes.slice(0, Math.ceil(pushes.length / PARTS)))
    const last = p99(pushes.slice(-Math.ceil(pushes.length / PARTS)))
    const clones = await hot.compareClones(CLONES)
    t.diagnostic(
      JSON.stringify({
        pushes: pushes.length,
        p99FirstMs: first,
        p99LastMs: last,
        ...clones,
      }),
    )
    if (MINUTES < MEASURED_MINUTES) return
    assert.ok(
      last <= first * PUSH_RATIO_MAX,
      `p99 of pushes: ${first} ms at the beginning, ${last} at the end`,
    )
    assert.ok(
      clones.hotMs <= clones.freshMs * CLONE_RATIO_MAX,
      `a clone takes ${clones.hotMs} ms, ${clones.freshMs} from a fresh repository`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** One client: pushes are due at fixed times, and a late one is followed at once by the next. */
async function pushAll(hot: HotRepository, client: number, over: AbortSignal): Promise<Push[]> {
  const everyMs = (60_000 * CLIENTS) / RATE
  const beganAt = performance.now() + (everyMs * client) / CLIENTS
  const pushes: Push[] = []
  while (!over.aborted) {
    await sleep(Math.max(0, beganAt + pushes.length * everyMs - performance.now()), undefined, {
      signal: over,
    }).catch(() => undefined)
    if (!over.aborted) pushes.push(await hot.push(client))
  }
  return pushes
}

/** Fetches and pages meanwhile; returns what failed. */
async function readAll(hot: HotRepository, over: AbortSignal): Promise<string[]> {
  const failures: string[] = []
  while (!over.aborted) {
    failures.push(...(await hot.read()))
    await sleep(READ_PAUSE_MS, undefined, { signal: over }).catch(() => undefined)
  }
  return failures
}

function p99(pushes: readonly Push[]): number {
  const sorted = pushes.map(({ ms }) => ms).sort((a, b) => a - b)
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0)
}
