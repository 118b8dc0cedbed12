/**
 * `npm run prove:soak`: four nodes on one PostgreSQL with all their connections open, for SOAK_MINUTES. Prints usage
 * every minute; fails if a request failed, or if memory grew after the first third of the time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { tryForge } from '../../test/try-forge.ts'
import { childrenOf, residentMiB, sharedOutMiB } from './processes.ts'
import { makeSubject } from './subject.ts'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60)
const NODES = 4
/** Concurrent requests, enough for every node to open all its connections. */
const BURST = 100
const PAUSE_MS = 1_000
/** Reads per write. */
const READS_A_WRITE = 4
const GROWTH_MAX = 1.15

await using forge = await tryForge(['--nodes', String(NODES)])
const { token, routes } = await makeSubject(forge)
const reads = routes.filter(({ write }) => write === undefined)
const [postgres = 0] = await childrenOf(forge.pid, 'postgres')
const failures = new Map<string, number>()
let requests = 0
let later: Usage | undefined
const startedAt = performance.now()
for (let minute = 1; minute <= MINUTES; minute++) {
  while (performance.now() - startedAt < minute * 60_000) {
    await Promise.all(Array.from({ length: BURST }, (_, i) => ask(i)))
    await sleep(PAUSE_MS)
  }
  const usage = await measure()
  if (minute === Math.ceil(MINUTES / 3)) later = usage
  console.log(JSON.stringify({ minute, requests, ...usage, failures: Object.fromEntries(failures) }))
}
const end = await measure()
const hasGrown = later !== undefined && end.postgresMiB > later.postgresMiB * GROWTH_MAX
if (failures.size > 0 || hasGrown) process.exitCode = 1

interface Usage {
  readonly connections: number
  readonly postgresMiB: number
  readonly nodesMiB: readonly number[]
}

async function measure(): Promise<Usage> {
  const backends = await childrenOf(postgres)
  const connections = (await childrenOf(postgres, 'postgres: .*\\[local\\]').catch(() => [])).length
  const nodes = await childrenOf(forge.pid, 'serve')
  return {
    connections,
    postgresMiB: await sharedOutMiB([postgres, ...backends]),
    nodesMiB: await Promise.all(nodes.map(residentMiB)),
  }
}

async function ask(i: number): Promise<void> {
  const node = forge.nodes[i % NODES]?.url ?? forge.url
  const isWrite = i % READS_A_WRITE === 0
  const [path] = (isWrite ? routes[1] : reads[i % reads.length])?.paths ?? []
  const answer = await fetch(`${node}${path}`, {
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(isWrite ? { method: 'PATCH', body: JSON.stringify({ description: `burst ${requests}` }) } : {}),
  }).catch((error: Error) => error)
  requests += 1
  if (answer instanceof Response) await answer.arrayBuffer()
  const failure = answer instanceof Error ? answer.message : answer.ok ? undefined : `status ${answer.status}`
  if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1)
}
