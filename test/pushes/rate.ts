/** Clients push one commit after the other: how many pushes there are in a minute, and what each of them costs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Receiver } from '#testing/slices/webhooks'
import { Dice } from '../chaos/dice.ts'
import { drain, subtract } from '../queue-rate/drain.ts'
import { costOf, type Figures } from '../queue-rate/figures.ts'
import { STATISTICS_MS } from '../queue-rate/queue.ts'
import type { RatedForge } from '../queue-rate/rated-forge.ts'
import { type Costs, readCosts } from './costs.ts'
import type { Push } from './pusher.ts'
import { makeScene, type Scene } from './scene.ts'

export interface RateOptions {
  readonly repositories: number
  readonly pushers: number
  readonly seconds: number
  /** Pushes a minute of all pushers; each waits for its turn. */
  readonly rate: number
  /** The operations ports of the nodes. */
  readonly ports: readonly number[]
  /** `STATISTICS_MS`, or less where the count of jobs need not be exact. */
  readonly statisticsMs?: number
}

export interface Rated {
  readonly figures: Figures
  /** Calls a push of each statement, most frequent first. */
  readonly statements: readonly { readonly text: string; readonly calls: number }[]
}

/** Every run pushes to the same repositories in the same order. */
const SEED = 1

export async function measurePushes(forge: RatedForge, options: RateOptions): Promise<Rated> {
  const { statisticsMs = STATISTICS_MS, ports } = options
  await using receiver = await Receiver.open()
  const scene = await makeScene(forge.tried, { ...options, webhookUrl: receiver.url })
  await drain(forge, statisticsMs)
  const before = await readCosts(forge, ports)
  const told = receiver.received.length
  const began = performance.now()
  const pushes = await pushAll(scene, options)
  const pushed = (performance.now() - began) / 1000
  const { waiting } = await forge.queue.look()
  const drained = await drain(forge, statisticsMs)
  const after = await readCosts(forge, ports)
  for (const it of scene.pushers) it[Symbol.dispose]()
  const landed = pushes.filter(({ failure }) => failure === undefined)
  const failures = new Set(pushes.flatMap(({ failure }) => failure ?? []))
  for (const it of failures) console.error(`failed: ${it}`)
  const times = landed.map(({ ms }) => ms).sort((a, b) => a - b)
  const count = landed.length
  return {
    figures: {
      pushes: count,
      'pushes that failed': pushes.length - count,
      'pushes a minute': (count / pushed) * 60,
      'push p50 ms': times[Math.floor(count * 0.5)] ?? 0,
      'push p99 ms': times[Math.floor(count * 0.99)] ?? 0,
      'jobs waiting at the end of pushing': waiting,
      'drain: s': drained.seconds,
      'jobs left': drained.left,
      'jobs that failed and are still there': drained.failed,
      ...costOf('a push', subtract(after.usage, before.usage), count),
      'jobs a push': (after.jobs - before.jobs) / count,
      'git processes a push': (after.gitProcesses - before.gitProcesses) / count,
      'WAL bytes a push': (after.walBytes - before.walBytes) / count,
      'database bytes a push': (after.databaseBytes - before.databaseBytes) / count,
      'rows a push': (after.rows - before.rows) / count,
      'bytes sent a push': landed.reduce((sum, { bytes }) => sum + bytes, 0) / count,
      ...storeFigures(before, after, count),
      'webhooks a push': (receiver.received.length - told) / count,
    },
    statements: statementsOf(before, after, count),
  }
}

/** One after the other in each repository, as a person would; each pusher has a branch of its own. */
async function pushAll({ pushers, repositories }: Scene, options: RateOptions): Promise<Push[]> {
  const endsAt = performance.now() + options.seconds * 1000
  const pauseMs = (60_000 / options.rate) * pushers.length
  const dice = new Dice(SEED)
  const pushes: Push[] = []
  const work = async (pusher: (typeof pushers)[number], i: number) => {
    const luck = dice.fork()
    let next = performance.now() + (pauseMs * i) / pushers.length
    while (next < endsAt) {
      await sleep(Math.max(0, next - performance.now()))
      // A late pusher does not catch up.
      next = Math.max(next + pauseMs, performance.now())
      pushes.push(await pusher.push(luck.pick(repositories)))
    }
  }
  await Promise.all(pushers.map(work))
  return pushes
}

function storeFigures(before: Costs, after: Costs, count: number): Figures {
  const names = Object.keys(after.store)
  const each = names.map((name) => [
    `store: ${name} a push`,
    ((after.store[name] ?? 0) - (before.store[name] ?? 0)) / count,
  ])
  return Object.fromEntries(each)
}

function statementsOf(before: Costs, after: Costs, count: number): Rated['statements'] {
  return [...after.calls]
    .map(([text, calls]) => ({ text, calls: (calls - (before.calls.get(text) ?? 0)) / count }))
    .sort((a, b) => b.calls - a.calls)
}
