/**
 * The cost of an audit record: writes with and without it, alternating, on one connection at a time. PostgreSQL is in memory
 * and does not wait for a disk, so the ratio is larger than on a server.
 *
 *   npm run measure:audit
 */
import { internalOperations, routes } from '#cli'
import { OperationEntry } from '#domains/instance/audit'
import { actorOf } from '#domains/people/users'
import { startForge } from '#testing'
import { InProcessApi } from '../../src/http/serve/in-process-api.ts'

const ROUNDS = 600
const WARM_UP = 100

await using forge = await startForge({ checksAnswers: false })
const ann = await forge.person('ann')
await forge.call('ann', 'POST', '/user/repos', { name: 'ore', auto_init: true })
await forge.call('ann', 'POST', '/repos/ann/ore/issues', { title: 'one' })
const actor = actorOf(ann, { publicOnly: false, via: 'session', tokenId: null })
const api = new InProcessApi({ routes, internalOperations })
const from = { address: '127.0.0.1', network: '127.0.0.1', requestId: 'r', isPage: true }

function apiOf(isAudited: boolean, id: string) {
  const entry = () =>
    new OperationEntry(forge.ctx, 'page /', from, { via: 'session', credential: '1', account: ann })
  // As at the edge: the access is checked again in the transaction.
  const reopen = async () => actor
  return api.as({ ...forge.ctx, actor, reopen, ...(isAudited && { audit: entry() }) }, { does: [id] })
}

const WRITES = {
  userCurrentPutStar: {},
  issueCreateComment: { body: 'text' },
  repoChangeFiles: {},
} as const
const place = { owner: 'ann', repo: 'ore', index: 1 }
let files = 0

async function write(id: keyof typeof WRITES, isAudited: boolean): Promise<number> {
  const { ask } = apiOf(isAudited, id)
  const began = performance.now()
  if (id === 'userCurrentPutStar') await ask(id, place)
  else if (id === 'issueCreateComment') await ask(id, place, { body: 'text' })
  else {
    const file = { operation: 'create' as const, path: `f${files++}`, content: btoa('x') }
    await ask(id, place, { files: [file], message: 'm' })
  }
  const tookMs = performance.now() - began
  if (id === 'userCurrentPutStar') await forge.pool.query('delete from star')
  return tookMs
}

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

for (const id of Object.keys(WRITES) as (keyof typeof WRITES)[]) {
  const took: { with: number[]; without: number[] } = { with: [], without: [] }
  const rounds = id === 'repoChangeFiles' ? 60 : ROUNDS
  for (let i = 0; i < rounds; i++) {
    // The order alternates too.
    const first = i % 2 === 0
    for (const isAudited of [first, !first]) {
      const ms = await write(id, isAudited)
      if (i >= Math.min(WARM_UP, rounds / 6)) took[isAudited ? 'with' : 'without'].push(ms)
    }
  }
  const [withMs, withoutMs] = [median(took.with), median(took.without)]
  console.log(
    JSON.stringify({
      operation: id,
      with_ms: Number(withMs.toFixed(3)),
      without_ms: Number(withoutMs.toFixed(3)),
      ratio: Number((withMs / withoutMs).toFixed(3)),
    }),
  )
}
