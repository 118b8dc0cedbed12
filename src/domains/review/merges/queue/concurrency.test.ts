/**
 * Several users queue pull requests over three nodes, some that break the build, while others push: good ones merge
 * once.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listRefs, maintain } from '#git'
import { type Forge, GitClient, movesOf, startForge } from '#testing'
import { enqueue, listQueue, makeGuarded, sayOf } from '#testing/slices/merge-queue'
import { base64, tipOf } from '#testing/slices/merges'
import { verifyMerges } from '../doctor/verify-merges.ts'
import { advance } from './advance.ts'

const PULLS = Number(process.env.QUEUE_PULLS ?? 20)
const PUSHES = Math.ceil(PULLS / 10)
const PEOPLE = ['ann', 'wes', 'eve', 'kim'] as const
const STYLES = ['merge', 'squash', 'rebase', 'rebase-merge'] as const
/** File name prefix that makes every commit containing such a file fail its checks. */
const BAD = 'bad-'
const ROUND_MS = 50
/** Per pull request; the machine may be slow. */
const PATIENCE_MS = 15_000

let forge: Forge
let root: string
const good: number[] = []
const bad: number[] = []
before(async () => {
  forge = await startForge({ nodes: 3 })
  for (const login of PEOPLE) await forge.person(login)
  root = await makeGuarded(forge, 'one', PEOPLE.slice(1))
  await using git = await GitClient.open(forge, 'ann', 'ann/one')
  await git.ok('pull', '--quiet', 'origin', 'main')
  const branches = Array.from({ length: PULLS }, (_, i) => `${i % 10 === 4 ? BAD : 'good-'}${i}`)
  for (const branch of branches) {
    await git.ok('checkout', '--quiet', '-b', branch, 'main')
    await git.commit(branch, branch)
  }
  await git.ok('push', '--quiet', 'origin', ...branches)
  for (const head of branches) {
    const { status, body } = await forge.call('ann', 'POST', `${root}/pulls`, {
      title: head,
      head,
      base: 'main',
    })
    assert.equal(status, 201)
    const kind = head.startsWith(BAD) ? bad : good
    kind.push(body.number)
  }
})
after(() => forge[Symbol.asyncDispose]())

/** Posts a status for each tested commit: failure if it contains a `BAD` file. Each commit is judged once. */
async function check(said: Set<string>): Promise<void> {
  for (const { sha } of await listQueue(forge, root)) {
    if (sha === null || said.has(sha)) continue
    const { status, body } = await forge.call('ann', 'GET', `${root}/contents?ref=${sha}`)
    // The entry was rebuilt meanwhile.
    if (status !== 200) continue
    const isBroken = body.some(({ name }: { name: string }) => name.startsWith(BAD))
    await sayOf(forge, root, sha, isBroken ? 'failure' : 'success')
    said.add(sha)
  }
}

test(`of ${PULLS} queued pull requests, the good ones are merged once and the bad ones never`, {
  timeout: PULLS * PATIENCE_MS,
}, async (t) => {
  const numbers = [...good, ...bad].sort((a, b) => a - b)
  let isOver = false
  const until = async (act: () => Promise<unknown>) => {
    for (; !isOver; await sleep(ROUND_MS)) await act()
  }
  const queueing = PEOPLE.map(async (as, i) => {
    for (const number of numbers.filter((_, k) => k % PEOPLE.length === i)) {
      const Do = STYLES[number % STYLES.length]
      const { status, body } = await enqueue(forge, as, root, number, { Do })
      assert.equal(status, 201, JSON.stringify(body))
    }
  })
  const { id, storage_id } = await forge.db
    .selectFrom('repository')
    .select(['id', 'storage_id'])
    .executeTakeFirstOrThrow()
  const said = new Set<string>()
  // Several workers advance the same queue at once, as after a worker was wrongly presumed dead.
  const again = () => advance(forge.ctx, { repository_id: id, base_branch: 'main' }).catch(unlessBusy)
  // Pack maintenance runs concurrently, as on any worker.
  const join = () => maintain(forge.ctx, { storage_id, work: 'compact' })
  const working = [() => forge.runJobs(), again, join, () => check(said)].map(until)
  const pushing = async () => {
    await Promise.all(queueing)
    for (let i = 0; i < PUSHES; i++) {
      const tip = await tipOf(forge, root)
      await waitUntil(() => push(`pushed-${i}.md`))
      await waitUntil(async () => (await tipOf(forge, root)) !== tip)
    }
    await waitUntil(async () => (await listQueue(forge, root)).length === 0)
  }
  await pushing().finally(() => {
    isOver = true
  })
  await Promise.all(working)
  await forge.runJobs()
  t.diagnostic(`${said.size} commits were tested`)
  assert.deepEqual(await listRefs(forge.db, storage_id, { prefixes: ['refs/queue/'] }), [])
  await assertLanded(storage_id)
})

/** False while the storage has no room for another pack until maintenance ran: clients retry. */
async function push(path: string): Promise<boolean> {
  const input = { content: base64(path), message: path, branch: 'main' }
  const { status, body } = await forge.call('ann', 'POST', `${root}/contents/${path}`, input)
  assert.ok([201, 409, 503].includes(status), JSON.stringify(body))
  return status === 201
}

function unlessBusy(error: unknown): void {
  if ((error as { kind?: string }).kind !== 'unavailable') throw error
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(ROUND_MS)
}

async function assertLanded(storageId: Parameters<typeof verifyMerges>[1]): Promise<void> {
  const rows = await forge.db
    .selectFrom('pull_request')
    .leftJoin('pull_merge', 'pull_merge.issue_id', 'pull_request.issue_id')
    .select(['number', 'is_open', 'pull_request.merge_commit', 'pull_merge.merge_commit as kept', 'base_oid'])
    .orderBy('number')
    .execute()
  assert.deepEqual(
    rows.filter((it) => it.merge_commit !== null && it.kept === it.merge_commit).map((it) => it.number),
    good,
  )
  assert.deepEqual(
    rows.filter((it) => it.is_open && it.merge_commit === null && it.kept === null).map((it) => it.number),
    bad,
  )
  assert.deepEqual(await verifyMerges(forge.ctx, storageId), { merges: good.length, findings: [] })
  const { body: files } = await forge.call('ann', 'GET', `${root}/contents`)
  assert.equal(files.filter(({ name }: { name: string }) => name.startsWith('good-')).length, good.length)
  for (const { merge_commit } of rows)
    if (merge_commit !== null) {
      const { body } = await forge.call('ann', 'GET', `${root}/commits/${merge_commit}/status`)
      assert.equal(body.state, 'success', 'what landed is what was tested')
    }
  await assertMoves(new Map(rows.map((row) => [row.merge_commit ?? '', row.base_oid ?? ''])))
}

/** Each move of the base starts where the last one ended, and is either a push or a chain of tested commits. */
async function assertMoves(merges: ReadonlyMap<string, string>): Promise<void> {
  const moves = await movesOf(forge, 'refs/heads/main')
  let landed = 0
  for (const [i, move] of moves.entries()) {
    if (i > 0) assert.equal(move.old, moves[i - 1]?.new)
    let at = move.new
    for (; merges.has(at) && at !== move.old; at = merges.get(at) ?? '') landed++
    if (merges.has(move.new)) assert.equal(at, move.old)
  }
  assert.equal(landed, good.length)
}
