/** The same questions as `rights.ts`, asked of real nodes: a member is removed over REST, and writes in a shard. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, SHARDS } from './cluster.ts'
import { note, noteSpread, timed } from './figures.ts'
import type { Forge } from './forge.ts'

const ROUNDS = Math.ceil(Number(process.env.SHARDS_ROUNDS ?? 60) / 5)
const WAIT_MS = 2_000

export async function measureForge(cluster: Cluster, forge: Forge): Promise<void> {
  for (const isSynchronous of [false, true]) {
    await setAnswers(cluster, isSynchronous)
    const title = isSynchronous ? 'synchronous copies' : 'asynchronous copies'
    const revoking: number[] = []
    let moved = 0
    for (let i = 0; i < ROUNDS; i++) {
      const before = await Promise.all(forge.shards.map((it) => forge.writeFile(it)))
      if (before.includes(false)) throw new Error('a member cannot commit')
      const [ms] = await timed(() => forge.revoke())
      revoking.push(ms)
      const written = await Promise.all(forge.shards.map((it) => forge.writeFile(it)))
      moved += written.filter(Boolean).length
      await forge.restore()
      await cluster.settle()
    }
    noteSpread(`forge: a member is removed over REST, ${title}`, revoking)
    note(
      `forge: commits over REST of the member after that, ${title}`,
      `${moved} of ${ROUNDS * forge.shards.length} moved the branch`,
    )
    await measureStill(cluster, forge, title)
  }
  await setAnswers(cluster, false)
}

/** The second shard applies nothing while the member is removed. */
async function measureStill(cluster: Cluster, forge: Forge, title: string): Promise<void> {
  const [, shard] = cluster.shards
  const [, node] = forge.shards
  if (shard === undefined || node === undefined) throw new Error('there are three shards')
  const worked = await forge.push(node)
  if (!worked) throw new Error('a member cannot push')
  const applier = await cluster.applier(shard)
  process.kill(applier, 'SIGSTOP')
  let isAnswered = false
  const revoking = forge.revoke().then(() => {
    isAnswered = true
  })
  try {
    await sleep(WAIT_MS)
    note(`forge, one shard stands still: removed within ${WAIT_MS} ms, ${title}`, isAnswered ? 'yes' : 'no')
    note(
      `forge, one shard stands still: git push of the member there, ${title}`,
      (await forge.push(node)) ? 'accepted' : 'refused',
    )
  } finally {
    process.kill(applier, 'SIGCONT')
  }
  await revoking
  await cluster.settle()
  note(
    `forge, the shard has gone on: git push of the member there, ${title}`,
    (await forge.push(node)) ? 'accepted' : 'refused',
  )
  await forge.restore()
  await cluster.settle()
}

/** All connections to the instance: whether their commits wait for every shard. */
async function setAnswers(cluster: Cluster, isSynchronous: boolean): Promise<void> {
  await cluster.waitFor(SHARDS)
  const { pool } = cluster.instance
  await pool.query(`alter system set synchronous_commit = '${isSynchronous ? 'remote_apply' : 'local'}'`)
  await pool.query('select pg_reload_conf()')
  await sleep(500)
}
