/**
 * P1 for merges: many clients merge pull requests concurrently on three nodes, which are killed with -9 meanwhile. Every
 * acknowledged merge has landed, none has landed twice or partly, and each result is what git makes of its two commits.
 *
 * `npm run prove:merges 1000` is the full length; without a number a bounded run. MERGES_SEED repeats a random sequence.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { verifyMerges } from '#domains/review/merges'
import { ChaosForge, type ChaosRepository } from '../chaos/chaos-forge.ts'
import { Dice } from '../chaos/dice.ts'

const MERGES = Number(process.env.MERGES ?? 24)
const SEED = Number(process.env.MERGES_SEED ?? randomInt(2 ** 32))
/** After this many everything is checked, and the next round starts with a new repository. */
const ROUND_MERGES = 60
const MERGERS = 6
/** When a base moves, all pull requests on it are checked again: with three bases that is a third of the work. */
const BASES = ['main', 'next', 'stable']
const STYLES = ['merge', 'squash', 'rebase', 'rebase-merge']
/** Merges between one kill and the next, on any machine; then the kill comes within a moment, during other merges. */
const MERGES_A_KILL = 8
const MOMENT_MS_MAX = 300
const LOOK_MS = 20
const ROUND_MS_MAX = 600_000
/** Another client was faster, or the outcome is not known yet: 405 is also the answer for a merged pull request. */
const AGAIN: readonly number[] = [405, 409, 502, 503]

const run = promisify(execFile)
const dice = new Dice(SEED)
let forge: ChaosForge
let kills = 0
before(async () => {
  console.log(`MERGES_SEED=${SEED}`)
  forge = await ChaosForge.open(dice.fork())
})
after(() => forge?.[Symbol.asyncDispose]())

for (let round = 0; round * ROUND_MERGES < MERGES; round++) {
  const count = Math.min(ROUND_MERGES, MERGES - round * ROUND_MERGES)
  test(`round ${round + 1}: ${count} pull requests land once and completely while nodes are killed`, {
    timeout: 2 * ROUND_MS_MAX,
  }, async (t) => {
    const repo = await forge.createRepository(await forge.pickNode(dice), `round-${round}`)
    const open = new Set(await propose(repo, count))
    const acknowledged = new Set<number>()
    const before = kills
    const endsAt = performance.now() + ROUND_MS_MAX
    const isOver = () => open.size === 0 || performance.now() > endsAt
    const mergers = Array.from({ length: MERGERS }, () =>
      mergeAll(dice.fork(), repo, open, acknowledged, isOver),
    )
    await Promise.all([...mergers, killNodes(dice.fork(), open, isOver)])
    await forge.calm()
    t.diagnostic(`${kills - before} kills, ${acknowledged.size} of ${count} acknowledged`)
    assert.deepEqual([...open], [], `not all have landed with MERGES_SEED=${SEED}`)
    assert.ok(kills > before, 'no node was killed: the test proved nothing')
    await assertWhole(repo, count)
  })
}

/** Branches that each add a file, pushed at once, and a pull request for each. */
async function propose(repo: ChaosRepository, count: number): Promise<number[]> {
  const folder = join(forge.folder, 'work', repo.path)
  await mkdir(folder, { recursive: true })
  const git = async (...words: string[]) => {
    const person = ['-c', 'user.name=Smith', '-c', 'user.email=smith@example.test']
    await run('git', [...person, ...words], { cwd: folder })
  }
  const commit = async (file: string) => {
    await writeFile(join(folder, file), file)
    await git('add', '--all')
    await git('commit', '--quiet', '-m', `add ${file}`)
  }
  await git('init', '--quiet', '--initial-branch=main')
  await commit('first.md')
  const branches = Array.from({ length: count }, (_, i) => `topic-${i}`)
  for (const branch of branches) {
    await git('checkout', '--quiet', '-b', branch, 'main')
    await commit(`${branch}.md`)
  }
  const node = await forge.pickNode(dice)
  const bases = BASES.map((base) => `main:refs/heads/${base}`)
  await git('push', '--quiet', forge.gitUrl(node, repo), ...bases, ...branches)
  const numbers: number[] = []
  for (const [i, head] of branches.entries()) {
    const base = BASES[i % BASES.length]
    const answer = await forge.call(node, 'POST', `/repos/${repo.path}/pulls`, {
      title: head,
      head,
      base,
    })
    assert.equal(answer.status, 201)
    numbers.push(((await answer.json()) as { number: number }).number)
  }
  return numbers
}

/** A client without an answer checks whether the merge landed. */
async function mergeAll(
  luck: Dice,
  repo: ChaosRepository,
  open: Set<number>,
  acknowledged: Set<number>,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const number = luck.pick([...open])
    const path = `/repos/${repo.path}/pulls/${number}/merge`
    const wish = { Do: luck.pick(STYLES) }
    const status = await ask('POST', path, wish, luck)
    if (status === 200) {
      assert.ok(!acknowledged.has(number), `pull request ${number} was merged twice`)
      acknowledged.add(number)
      open.delete(number)
    } else {
      assert.ok(status === undefined || AGAIN.includes(status), `a merge was answered with ${status}`)
      if ((await ask('GET', path, undefined, luck)) === 204) open.delete(number)
    }
  }
}

/** Undefined: no answer. */
async function ask(
  method: string,
  path: string,
  body: object | undefined,
  luck: Dice,
): Promise<number | undefined> {
  const node = await forge.pickNode(luck)
  try {
    const answer = await forge.call(node, method, path, body)
    await answer.body?.cancel()
    return answer.status
  } catch {
    return undefined
  }
}

async function killNodes(luck: Dice, open: ReadonlySet<number>, isOver: () => boolean): Promise<void> {
  let next = open.size - 1
  for (; !isOver(); await sleep(LOOK_MS)) {
    if (open.size > next || forge.live.length < 2) continue
    await sleep(luck.below(MOMENT_MS_MAX))
    const node = luck.pick(forge.live)
    if (await node.kill()) kills++
    void node.start()
    next = open.size - MERGES_A_KILL
  }
}

async function assertWhole(repo: ChaosRepository, count: number): Promise<void> {
  // Once we hold the lock, what a dead node had begun is done or never will be.
  await sql`select 1 from git_storage where id = ${repo.storageId} for no key update`.execute(forge.db)
  const rows = await forge.db
    .selectFrom('pull_request')
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .leftJoin('pull_merge', 'pull_merge.issue_id', 'issue.id')
    .select(['pull_request.number', 'pull_request.is_open', 'pull_request.merge_commit', 'issue.is_closed'])
    .select(['issue.merged_at', 'pull_merge.merge_commit as kept', 'pull_merge.base_oid'])
    .where('pull_request.repository_id', '=', repo.id)
    .execute()
  assert.equal(rows.length, count)
  for (const row of rows) {
    assert.deepEqual([row.is_open, row.is_closed, row.merged_at === null], [false, true, false])
    assert.equal(row.kept, row.merge_commit)
  }
  assert.deepEqual(await verifyMerges(forge.ctx, repo.storageId), { merges: count, findings: [] })
  const events = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'refs.moved')
    .where(sql<boolean>`payload ->> 'repository_id' = ${String(repo.id)}`)
    .orderBy('id')
    .execute()
  const moves = events
    .flatMap(({ payload }) => (payload as { updates: { name: string; old: string; new: string }[] }).updates)
    .filter(({ name, old }) => BASES.includes(name.slice('refs/heads/'.length)) && !/^0+$/.test(old))
  assert.equal(moves.length, count, 'a base moved once for each')
  const kept = new Map(rows.map((row) => [row.kept, row.base_oid]))
  for (const move of moves) assert.equal(kept.get(move.new), move.old)
}
