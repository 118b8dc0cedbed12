/** How long taking a right away takes, and whether somebody who lost it a moment ago still pushes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '#platform/must'
import { type Cluster, type Server, SHARDS, until } from './cluster.ts'
import { note, noteSpread, short, spreadOf, timed } from './figures.ts'
import { type Judge, memberOf, push, restore, revoke } from './scene.ts'

const ROUNDS = Number(process.env.SHARDS_ROUNDS ?? 60)
const WRITERS = 4
const BEAT_MS = 100
const LARGE_EVERY_MS = 3_000
const STALE_MS_MAX = 2_000

/** Revocations that wait and that do not, in turn, so that the load of the machine is the same for both. */
export async function measureRevocations(cluster: Cluster): Promise<void> {
  for (const names of [SHARDS.slice(0, 1), SHARDS]) {
    await cluster.waitFor(names)
    const plain: number[] = []
    const synchronous: number[] = []
    for (let i = 0; i < ROUNDS; i++)
      for (const waits of [false, true]) {
        const user = memberOf(i)
        const [ms] = await timed(() => revoke(cluster.instance, user, waits))
        ;(waits ? synchronous : plain).push(ms)
        await restore(cluster.instance, user)
      }
    const ratio = spreadOf(synchronous).p50 / spreadOf(plain).p50
    noteSpread(`a revocation that waits for no shard, beside ${names.length}`, plain)
    noteSpread(`a revocation that ${names.length} have applied`, synchronous)
    note(`ratio of the two, ${names.length} shards`, `${short(ratio)}`)
    await cluster.settle()
  }
}

interface Way {
  readonly title: string
  readonly waits: boolean
  readonly judge: Judge
}
const WAYS: readonly Way[] = [
  { title: 'asynchronous copies', waits: false, judge: { rights: 'copy' } },
  { title: 'synchronous copies', waits: true, judge: { rights: 'copy' } },
  { title: 'the instance is asked', waits: false, judge: { rights: 'instance' } },
]

/** What was measured of one way. */
interface Found {
  pushes: number
  moved: number
  readonly revoking: number[]
  readonly pushing: number[]
  /** Until the shards have applied a revocation that did not wait for them. */
  readonly lags: number[]
}

/** The instance is written to meanwhile, as requests do: uses of tokens. `isHeavy`: and changes of many rows at times. */
export async function measureLeaks(cluster: Cluster, isHeavy: boolean): Promise<void> {
  await cluster.waitFor(SHARDS)
  await using load = startLoad(cluster, isHeavy)
  const found = WAYS.map((): Found => ({ pushes: 0, moved: 0, revoking: [], pushing: [], lags: [] }))
  for (let i = 0; i < (isHeavy ? ROUNDS / 5 : ROUNDS); i++)
    for (const [n, way] of WAYS.entries())
      await measureLeak(cluster, way, memberOf(i * WAYS.length + n), must(found[n], way.title))
  const under = isHeavy ? 'writes and large transactions' : 'writes'
  note(`writes of the instance meanwhile, under ${under}`, `${load.rate()} a second`)
  for (const [n, { title }] of WAYS.entries()) {
    const { pushes, moved, revoking, pushing, lags } = must(found[n], title)
    note(`pushes of revoked members that moved a ref, ${title}, under ${under}`, `${moved} of ${pushes}`)
    noteSpread(`revocation, ${title}, under ${under}`, revoking)
    noteSpread(`transaction of such a push, ${title}, under ${under}`, pushing)
    if (lags.length > 0) noteSpread(`lag, ${title}, under ${under}`, lags)
  }
}

/** Takes a right away; then its former holder pushes to every shard at once. */
async function measureLeak(cluster: Cluster, way: Way, user: number, found: Found): Promise<void> {
  const { instance, shards } = cluster
  const [revokingMs] = await timed(() => revoke(instance, user, way.waits))
  const revokedAt = performance.now()
  found.revoking.push(revokingMs)
  const verdicts = await Promise.all(shards.map((it) => timed(() => push(cluster, it, user, way.judge))))
  for (const [ms, verdict] of verdicts) {
    found.pushing.push(ms)
    found.pushes += 1
    if (verdict === 'moved') found.moved += 1
  }
  if (way.judge.rights === 'copy' && !way.waits)
    found.lags.push(...(await Promise.all(shards.map((it) => untilGone(it, user, revokedAt)))))
  await restore(instance, user)
}

/** Until the shard has applied it; asks without moving anything. */
async function untilGone(shard: Server, user: number, since: number): Promise<number> {
  const isGone = async () =>
    (await shard.pool.query('select from team_member where user_id = $1', [user])).rowCount === 0
  await until(isGone, { pauseMs: 1 })
  return performance.now() - since
}

/** One shard applies nothing any more. */
export async function measureStandstill(cluster: Cluster): Promise<void> {
  await cluster.waitFor(SHARDS)
  const [, still] = cluster.shards
  if (still === undefined) throw new Error('there are three shards')
  // Large transactions of the measurement before may still be on their way.
  await cluster.settle()
  await using _beats = startBeats(cluster)
  await sleep(BEAT_MS * 5)
  const applier = await cluster.applier(still)
  const copy: Judge = { rights: 'copy' }
  const fenced: Judge = { rights: 'copy', staleMsMax: STALE_MS_MAX }
  process.kill(applier, 'SIGSTOP')
  try {
    const user = memberOf(0)
    const stoppedAt = performance.now()
    await revoke(cluster.instance, user, false)
    note(
      'one shard stands still: a revoked member, asynchronous copy',
      await push(cluster, still, user, copy),
    )
    note(
      'one shard stands still: the same, the instance is asked',
      await push(cluster, still, user, { rights: 'instance' }),
    )
    const other = memberOf(1)
    let isDone = false
    const waiting = timed(() => revoke(cluster.instance, other, true)).then(([ms]) => {
      isDone = true
      return ms
    })
    await sleep(STALE_MS_MAX / 2)
    note(
      `one shard stands still: a synchronous revocation after ${STALE_MS_MAX / 2} ms`,
      isDone ? 'done' : 'waits',
    )
    note('one shard stands still: that member pushes there', await push(cluster, still, other, copy))
    const [blindMs] = await timed(() =>
      until(async () => (await push(cluster, still, other, fenced)) === 'fenced'),
    )
    note(
      `with a bound of ${STALE_MS_MAX} ms: the shard refuses all pushes`,
      `${short(performance.now() - stoppedAt)} ms after it stopped (asked for ${short(blindMs)} ms)`,
    )
    const rest = SHARDS.filter((it) => it !== still.name)
    await cluster.waitFor(rest)
    note(
      `with a bound of ${STALE_MS_MAX} ms: the revocation, the shard left out`,
      `${short(await waiting)} ms`,
    )
    note('with a bound: that member pushes there', await push(cluster, still, other, fenced))
  } finally {
    process.kill(applier, 'SIGCONT')
  }
  const [ms] = await timed(() =>
    until(async () => (await push(cluster, still, memberOf(2), fenced)) === 'moved'),
  )
  note('the shard goes on: it takes pushes again after', `${short(ms)} ms`)
  note('the shard goes on: that member pushes there', await push(cluster, still, memberOf(1), fenced))
  await restore(cluster.instance, memberOf(0))
  await restore(cluster.instance, memberOf(1))
  await cluster.waitFor(SHARDS)
}

/** A transaction of the instance every BEAT_MS, that each shard sees in its turn. */
function startBeats(cluster: Cluster): AsyncDisposable {
  let isRunning = true
  const running = (async () => {
    while (isRunning) {
      await cluster.instance.pool.query(
        'set synchronous_commit = local; update beat set at = clock_timestamp(); reset synchronous_commit',
      )
      await sleep(BEAT_MS)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      isRunning = false
      await running
    },
  }
}

function startLoad({ instance }: Cluster, isHeavy: boolean): AsyncDisposable & { rate(): string } {
  let isRunning = true
  let writes = 0
  const from = performance.now()
  const write = async (seed: number) => {
    const client = await instance.pool.connect()
    try {
      await client.query('set synchronous_commit = local')
      for (let n = seed; isRunning; n += WRITERS) {
        await client.query('update access_token set last_used_at = now() where account_id = $1', [
          memberOf(n),
        ])
        writes += 1
      }
    } finally {
      client.release(true)
    }
  }
  const writeMuch = async () => {
    const client = await instance.pool.connect()
    try {
      await client.query('set synchronous_commit = local')
      while (isRunning) {
        await client.query('update follow set created_at = now()')
        await sleep(LARGE_EVERY_MS)
      }
    } finally {
      client.release(true)
    }
  }
  const all = Array.from({ length: WRITERS }, (_, seed) => write(seed))
  if (isHeavy) all.push(writeMuch())
  return {
    rate: () => short((writes / (performance.now() - from)) * 1000),
    async [Symbol.asyncDispose]() {
      isRunning = false
      await Promise.all(all)
    },
  }
}
