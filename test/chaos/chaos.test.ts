/**
 * P1 to P3 for pushes: no acknowledged push is ever lost, none is ever partly applied, and readers see what was written,
 * on every node, while nodes are killed with -9, caches are deleted, and PostgreSQL and the store fail and recover.
 * Counters move with the refs; the feed lists each move once; and a webhook receiver that fails, hangs and answers
 * garbage gets each event at least once, under one delivery id, in bounded time, and nothing else.
 *
 * CHAOS_PUSHES=10000 is the full length; without it a bounded run, in which every fault still happens at least once.
 * CHAOS_SEED repeats a random sequence. With CHAOS_STANDBY=1 the standby of PostgreSQL fails, too.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ChaosForge, type ChaosRepository } from './chaos-forge.ts'
import type { ChaosNode } from './chaos-node.ts'
import { Dice } from './dice.ts'
import { checkClone, countPacks, findOrphans, readActs, readEvidence } from './evidence.ts'
import { Ledger } from './ledger.ts'
import { Monkey, type Point, spring } from './monkey.ts'
import { checkActs, checkNews } from './news.ts'
import { Pusher, type Target } from './pusher.ts'
import { findResting, hastenAllTheTime, untilTold } from './quiet.ts'

const PUSHES = Number(process.env.CHAOS_PUSHES ?? 150)
const SEED = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 32))
const PUSHERS = 8
const REPOSITORIES = 3
/** After this many everything is checked, and the next round starts with new repositories. */
const ROUND_PUSHES = 150
/** In a run of this length every fault must occur; pushes continue until it has, up to a limit. */
const WHOLE_PUSHES = 150
const EXTRA_PUSHES_MAX = 1_000
const BRANCH = 'refs/heads/main'
/** Time for a push to reach the point where it is stopped. */
const TRAP_MS_MAX = 120_000
const VANISHED_MS_MAX = 60_000
const FAULTS_SHOWN_MAX = 50

const dice = new Dice(SEED)
let forge: ChaosForge
before(async () => {
  console.log(`CHAOS_SEED=${SEED}`)
  forge = await ChaosForge.open(dice.fork())
})
after(() => forge?.[Symbol.asyncDispose]())

/** A new repository; from here on the receiver misbehaves. */
async function newTarget(name: string): Promise<Target> {
  forge.receiver.mood = 'moody'
  return { repo: await forge.createRepository(await forge.pickNode(dice), name), ledger: new Ledger() }
}

/** The receiver behaves from now on, so that everything can be delivered; what is not delivered is a fault. */
async function hearAll(): Promise<string[]> {
  forge.receiver.mood = 'kind'
  return untilTold(forge)
}

/** Compares what is stored and what was delivered with the ledger. */
async function faultsOf({ repo, ledger }: Target): Promise<string[]> {
  return [
    ...(await hearAll()),
    ...ledger.check(await readEvidence(forge, repo)),
    ...forge.receiver.faults,
    ...checkNews(ledger.done, forge.receiver.heardAt(repo.path)),
    ...checkActs(ledger.done, await readActs(forge, await forge.pickNode(dice), repo)),
  ]
}

function assertFlawless(faults: readonly string[]): void {
  if (faults.length === 0) return
  const shown = [...new Set(faults)].slice(0, FAULTS_SHOWN_MAX)
  assert.fail(`${faults.length} faults with CHAOS_SEED=${SEED}:\n${shown.join('\n')}`)
}

/** The required outcome of a push whose node was killed at a point: its client gets no answer. */
const KILLED: readonly { point: Point; isLanded: boolean | undefined }[] = [
  { point: 'after-index', isLanded: false },
  { point: 'before-upload', isLanded: false },
  { point: 'half-upload', isLanded: false },
  { point: 'after-upload', isLanded: false },
  { point: 'before-commit', isLanded: false },
  { point: 'at-commit', isLanded: undefined },
  { point: 'after-commit', isLanded: true },
]

test('a push whose node is killed at any point is applied completely or not at all, and the next one succeeds', async () => {
  const pusher = await Pusher.open(forge, dice.fork(), 'victim')
  const target = await newTarget('points')
  const plan = {
    changes: [BRANCH, 'refs/heads/second', 'refs/tags/third'].map((ref) => ({
      ref,
      how: 'rewrite' as const,
    })),
    isAtomic: true,
  }
  for (const { point, isLanded } of KILLED) {
    const node = await forge.pickNode(dice)
    const reached = spring(node, point, TRAP_MS_MAX)
    const pushing = pusher.push(target, plan, node)
    const held = await reached
    assert.ok(held, `no push came to ${point}`)
    const before = target.ledger.value(BRANCH)
    await node.kill()
    held.reset()
    const { answers } = await pushing
    assert.deepEqual(
      [...answers.values()].filter((answer) => answer === 'acknowledged'),
      [],
      point,
    )
    const hasLanded = target.ledger.value(BRANCH) !== before
    if (isLanded !== undefined) assert.equal(hasLanded, isLanded, point)
    const next = await pusher.push(target, plan, await forge.pickNode(dice, node))
    assert.deepEqual(new Set(next.answers.values()), new Set(['acknowledged']), next.complaint)
    void node.start()
  }
  await forge.calm()
  assertFlawless(await faultsOf(target))
})

test('after a connection lost at COMMIT the node finds the outcome and reports it to the client', async () => {
  const pusher = await Pusher.open(forge, dice.fork(), 'loser')
  const target = await newTarget('lost-commits')
  const plan = { changes: [{ ref: BRANCH, how: 'grow' as const }], isAtomic: false }
  for (const [point, isAcknowledged] of [
    ['before-commit', false],
    ['after-commit', true],
  ] as const) {
    const node = await forge.pickNode(dice)
    const reached = spring(node, point, TRAP_MS_MAX)
    const pushing = pusher.push(target, plan, node)
    const held = await reached
    assert.ok(held, `no push came to ${point}`)
    held.reset()
    const { answers, complaint } = await pushing
    assert.equal(answers.get(BRANCH) === 'acknowledged', isAcknowledged, `${point}: ${complaint}`)
  }
  assertFlawless(await faultsOf(target))
})

test('a machine that vanishes while holding a lock does not block others for long', async () => {
  const [left, right] = [
    await Pusher.open(forge, dice.fork(), 'left'),
    await Pusher.open(forge, dice.fork(), 'right'),
  ]
  const target = await newTarget('vanished')
  const node = await forge.pickNode(dice)
  const other = await forge.pickNode(dice, node)
  const growing = (ref: string) => ({ changes: [{ ref, how: 'grow' as const }], isAtomic: false })
  const reached = spring(node, 'before-commit', TRAP_MS_MAX)
  const pushing = left.push(target, growing(BRANCH), node)
  const held = await reached
  assert.ok(held, 'no push came to before-commit')
  try {
    // PostgreSQL does not notice: the connection is never closed.
    await node.kill()
    const began = performance.now()
    const { answers, complaint } = await right.push(target, growing('refs/heads/other'), other)
    assert.deepEqual([...answers.values()], ['acknowledged'], complaint)
    assert.ok(performance.now() - began < VANISHED_MS_MAX, 'it took too long')
  } finally {
    held.reset()
    await Promise.allSettled([pushing])
    await forge.calm()
  }
  assertFlawless(await faultsOf(target))
})

test('after any part of a cache is deleted, the next push and the next clone succeed', async () => {
  const pusher = await Pusher.open(forge, dice.fork(), 'cleaner')
  const target = await newTarget('cleaned')
  const plan = { changes: [{ ref: BRANCH, how: 'grow' as const }], isAtomic: false }
  const inside = ['', 'config', 'HEAD', 'packed-refs', 'refs', 'objects', 'objects/pack']
  const node = await forge.pickNode(dice)
  const faults: string[] = []
  for (const part of ['packs', 'scratch', 'repositories', ...inside.map((it) => join(COPY, it))]) {
    for (const action of ['push', 'clone']) {
      // The node may write there at the same moment.
      for (const place of await placesOf(part, node, target.repo))
        await rm(place, { recursive: true, force: true, maxRetries: 10 })
      if (action === 'push') {
        const { answers, complaint } = await pusher.push(target, plan, node)
        if (answers.get(BRANCH) !== 'acknowledged') faults.push(`without ${part}: ${complaint}`)
      } else
        faults.push(
          ...(await checkClone(forge, node, target, { tries: 1 })).map((it) => `without ${part}: ${it}`),
        )
    }
  }
  assertFlawless([...faults, ...(await faultsOf(target))])
})

/** Stands for every copy of the repository, each of which has its own number. */
const COPY = 'copy'

async function placesOf(part: string, node: ChaosNode, { storageId }: ChaosRepository): Promise<string[]> {
  if (!part.startsWith(COPY)) return [join(node.cacheFolder, part)]
  const shelf = join(node.cacheFolder, 'repositories', String(storageId % 1000))
  const names = (await readdir(shelf)).filter((name) => name.startsWith(`${storageId}-`))
  assert.ok(names.length > 0, 'there is no copy to damage')
  return names.map((name) => join(shelf, name, part.slice(COPY.length)))
}

test(`${PUSHES} pushes by ${PUSHERS} clients under all faults lose nothing`, async (t) => {
  // The first test killed nodes at these; a long run does it again.
  const known = PUSHES > WHOLE_PUSHES ? [] : KILLED.map(({ point }) => point)
  const monkey = new Monkey(forge, dice.fork(), known)
  const ledgers: Ledger[] = []
  const fetches = { tried: 0, givenUp: 0 }
  const rounds = Math.ceil(PUSHES / ROUND_PUSHES)
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const targets: Target[] = []
    for (let i = 0; i < REPOSITORIES; i++) targets.push(await newTarget(`round-${round}-${i}`))
    const pushers: Pusher[] = []
    for (let i = 0; i < PUSHERS; i++) pushers.push(await Pusher.open(forge, dice.fork(), `p${round}-${i}`))
    const isLast = round === rounds - 1
    const pushes = Math.min(ROUND_PUSHES, PUSHES - round * ROUND_PUSHES)
    const mustMeetAll = isLast && PUSHES >= WHOLE_PUSHES
    await playRound({ monkey, pushers, targets, pushes, mustMeetAll })
    const calmed = performance.now()
    await forge.calm()
    assertFlawless(await checkRound(pushers, targets))
    for (const { ledger } of targets) ledgers.push(ledger)
    for (const pusher of pushers) {
      fetches.tried += pusher.fetches
      fetches.givenUp += pusher.fetchesGivenUp
      await pusher[Symbol.asyncDispose]()
    }
    console.log(`round ${round + 1} of ${rounds}: ${since(began)} s, ${since(calmed)} s of them quiet`)
  }
  const packs = await countPacks(forge)
  t.diagnostic(`pushes ${JSON.stringify(sumOf(ledgers))}, fetches ${JSON.stringify(fetches)}`)
  t.diagnostic(`deeds ${JSON.stringify(Object.fromEntries(monkey.done))}`)
  t.diagnostic(`compaction ${JSON.stringify(monkey.compactions)}, packs ${JSON.stringify(packs)}`)
  const { met, counts, told } = forge.receiver
  t.diagnostic(`webhooks ${JSON.stringify({ told, ...counts })}, met ${JSON.stringify(met)}`)
  if (PUSHES < WHOLE_PUSHES) return
  assert.deepEqual(monkey.undone, [], 'these accidents never happened')
  assert.deepEqual(forge.receiver.unmet, [], 'the receiver was never so')
  assert.ok((packs.compact ?? 0) > 0 && (packs.gc ?? 0) > 0, 'nothing was compacted')
})

test('no node exited except by the test', () => {
  assert.deepEqual(
    forge.nodes.flatMap(({ accidents }) => accidents),
    [],
  )
})

test('no process outlives its node', async () => {
  await forge.stopNodes()
  assert.deepEqual(await findOrphans(forge), [])
})

function since(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}

function sumOf(ledgers: readonly Ledger[]): Ledger['counts'] {
  const sum = new Ledger().counts
  for (const { counts } of ledgers)
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name]
  return sum
}

interface Round {
  readonly monkey: Monkey
  readonly pushers: readonly Pusher[]
  readonly targets: readonly Target[]
  readonly pushes: number
  /** Whether the round continues until every fault has occurred. */
  readonly mustMeetAll: boolean
}

/** All push until there were enough; the first fault ends the round, because later ones would hide it. */
async function playRound({ monkey, pushers, targets, pushes, mustMeetAll }: Round): Promise<void> {
  const luck = dice.fork()
  let left = pushes
  const isEnough = () => left <= 0 && (!mustMeetAll || monkey.undone.length === 0)
  const isOver = () =>
    isEnough() || left <= -EXTRA_PUSHES_MAX || targets.some(({ ledger }) => ledger.faults.length > 0)
  const play = async (pusher: Pusher) => {
    while (!isOver()) {
      left -= 1
      await pusher.pushAnything(luck.pick(targets))
    }
  }
  let isQuiet = false
  const mischief = [
    monkey.rage(
      () => isQuiet,
      () => pushes - left,
    ),
    monkey.compactAllTheTime(() => isQuiet),
    hastenAllTheTime(forge, () => isQuiet),
  ]
  try {
    await Promise.all(pushers.map(play))
  } finally {
    isQuiet = true
    await Promise.all(mischief)
  }
}

async function checkRound(pushers: readonly Pusher[], targets: readonly Target[]): Promise<string[]> {
  const faults = await hearAll()
  if (faults.length > 0) return faults
  // Without faults every node accepts pushes to every repository, whatever happened to its cache.
  const [pusher] = pushers
  assert.ok(pusher)
  const plan = {
    changes: [{ ref: `refs/heads/${pusher.name}/after`, how: 'grow' as const }],
    isAtomic: false,
  }
  for (const target of targets)
    for (const node of forge.nodes) {
      const { answers, complaint } = await pusher.push(target, plan, node)
      if (![...answers.values()].includes('acknowledged')) faults.push(`in fair weather: ${complaint}`)
    }
  for (const target of targets) faults.push(...(await faultsOf(target)))
  faults.push(...(await findResting(forge.db)))
  // One node starts with an empty cache, the others as they are.
  const [fresh] = forge.nodes
  await fresh?.stop()
  await fresh?.deleteCache(true)
  await fresh?.start()
  // A damaged cache may cost an attempt, because it is repaired on use.
  for (const target of targets)
    for (const node of forge.nodes) faults.push(...(await checkClone(forge, node, target, { tries: 3 })))
  return faults
}
