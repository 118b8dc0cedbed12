/**
 * Ten users merge at random over three nodes while others push to base and heads: each pull request merges exactly
 * once.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { maintain } from '#git'
import { type Forge, GitClient, movesOf, startForge } from '#testing'
import { base64, makeRepository, merge } from '#testing/slices/merges'
import { verifyMerges } from './doctor/verify-merges.ts'

const PULLS = 24
const MERGERS = 10
const PUSHES = 20
const STYLES = ['merge', 'squash', 'rebase', 'rebase-merge'] as const
/** Another merge or push won the race: the client retries. */
const AGAIN = new Set([409, 503])
const ATTEMPTS_MAX = 1_000

let forge: Forge
let root: string
const numbers: number[] = []
before(async () => {
  forge = await startForge({ nodes: 3 })
  for (const login of ['ann', 'wes']) await forge.person(login)
  root = await makeRepository(forge, 'one', ['wes'])
  await using git = await GitClient.open(forge, 'ann', 'ann/one')
  await git.ok('pull', '--quiet', 'origin', 'main')
  const branches = Array.from({ length: PULLS }, (_, i) => `topic-${i}`)
  for (const branch of branches) {
    await git.ok('checkout', '--quiet', '-b', branch, 'main')
    await git.commit(`${branch}.md`, branch)
  }
  await git.ok('push', '--quiet', 'origin', ...branches)
  for (const head of branches) {
    const made = await forge.call('ann', 'POST', `${root}/pulls`, { title: head, head, base: 'main' })
    assert.equal(made.status, 201)
    numbers.push(made.body.number)
  }
})
after(() => forge[Symbol.asyncDispose]())

/** A seeded random choice, so that a run can be repeated. */
function diceOf(seed: number): <T>(items: readonly T[]) => T {
  let state = seed
  return (items) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const item = items[Math.floor((state / 2 ** 32) * items.length)]
    assert.ok(item !== undefined)
    return item
  }
}

test('24 pull requests merged concurrently each merge once, with the tree git computes, and show as merged everywhere', {
  timeout: 300_000,
}, async (t) => {
  const seed = Number(process.env.MERGE_SEED ?? Math.floor(Math.random() * 2 ** 32))
  t.diagnostic(`MERGE_SEED=${seed}`)
  const roll = diceOf(seed)
  const open = new Set(numbers)
  const tally = new Map<string, number>()
  let attempts = 0
  const merger = async (as: string) => {
    while (open.size > 0 && attempts < ATTEMPTS_MAX) {
      attempts++
      const number = roll([...open])
      const { status, body } = await merge(forge, as, root, number, { Do: roll(STYLES) })
      const answer = `${status} ${body?.message ?? ''}`
      tally.set(answer, (tally.get(answer) ?? 0) + 1)
      if (status === 200) assert.ok(open.delete(number), `${number} was merged twice`)
      else if (!AGAIN.has(status)) assert.equal(status, 405, JSON.stringify(body))
      // Another merger was first, and this client has not seen it.
      if (status === 405) await asShown(number, open)
    }
  }
  const pusher = async (branchOf: () => string) => {
    for (let i = 0; i < PUSHES; i++) {
      const branch = branchOf()
      const path = `${root}/contents/pushed-to-${branch}-${i}.md`
      const input = { content: base64(`${i}`), message: `push ${i}`, branch }
      const { status } = await forge.call('ann', 'POST', path, input)
      assert.ok([201, 409, 404, 503].includes(status), `a push was answered with ${status}`)
    }
  }
  const work = Promise.all([
    ...Array.from({ length: MERGERS }, (_, i) => merger(i % 2 === 0 ? 'ann' : 'wes')),
    pusher(() => 'main'),
    pusher(() => `topic-${roll(numbers.map((_, i) => i))}`),
  ])
  // Pack maintenance runs concurrently, as on any worker; the other jobs are not run here.
  let isOver = false
  const joining = (async () => {
    const { storage_id } = await forge.db
      .selectFrom('repository')
      .select('storage_id')
      .executeTakeFirstOrThrow()
    for (; !isOver; await sleep(200)) await maintain(forge.ctx, { storage_id, work: 'compact' })
  })()
  await work.finally(() => {
    isOver = true
  })
  await joining
  t.diagnostic(JSON.stringify(Object.fromEntries(tally)))
  assert.deepEqual([...open], [], 'all have landed')
  await assertEachOnce()
})

/** A pull request that cannot be merged must be shown as merged. */
async function asShown(number: number, open: Set<number>): Promise<void> {
  const { body } = await forge.call('ann', 'GET', `${root}/pulls/${number}`)
  if (body.merged) open.delete(number)
}

async function assertEachOnce(): Promise<void> {
  const rows = await forge.db
    .selectFrom('pull_request')
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .innerJoin('pull_merge', 'pull_merge.issue_id', 'issue.id')
    .innerJoin('repository', 'repository.id', 'issue.repository_id')
    .selectAll('pull_merge')
    .select(['pull_request.is_open', 'issue.is_closed', 'issue.merged_at', 'pull_request.merged_at as at'])
    .select(['pull_request.merge_commit as commit', 'pull_request.head_oid as head', 'repository.storage_id'])
    .execute()
  assert.equal(rows.length, PULLS)
  for (const row of rows) {
    assert.deepEqual([row.is_open, row.is_closed, row.merged_at], [false, true, row.at])
    assert.deepEqual([row.commit, row.head], [row.merge_commit, row.head_oid])
  }
  const [first] = rows
  assert.ok(first)
  assert.deepEqual(await verifyMerges(forge.ctx, first.storage_id), { merges: PULLS, findings: [] })
  await assertMoves(new Map(rows.map((row) => [row.merge_commit, row.base_oid])))
  for (const state of ['open', 'closed'])
    for (let node = 0; node < 3; node++) {
      const { headers } = await forge.call('ann', 'GET', `${root}/pulls?state=${state}&limit=1`)
      assert.equal(headers.get('x-total-count'), String(state === 'open' ? 0 : PULLS))
    }
  assert.equal((await forge.call('ann', 'GET', root)).body.open_pr_counter, 0)
}

/** Each move of the base starts where the last one ended; each merge is one of these moves, from its stored base. */
async function assertMoves(merges: ReadonlyMap<string, string>): Promise<void> {
  const moves = await movesOf(forge, 'refs/heads/main')
  for (const [i, move] of moves.entries()) if (i > 0) assert.equal(move.old, moves[i - 1]?.new)
  const landed = moves.filter((move) => merges.has(move.new))
  assert.equal(landed.length, PULLS)
  for (const move of landed) assert.equal(merges.get(move.new), move.old)
}
