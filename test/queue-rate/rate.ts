/** Writers at work: whether the queue keeps up, what a request and a job cost, and how soon effects appear. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Dice } from '../chaos/dice.ts'
import { drain, QueueWatch, subtract } from './drain.ts'
import { Effects } from './effects.ts'
import { costOf, type Figures, figuresOf } from './figures.ts'
import type { RatedForge } from './rated-forge.ts'
import { makeScene } from './scene.ts'
import { Work, write } from './writers.ts'

export interface RateOptions {
  readonly writers: number
  readonly seconds: number
  readonly people: number
  readonly repositories: number
  /** `STATISTICS_MS`, or less where the count of jobs need not be exact. */
  readonly statisticsMs: number
}

/** Every run makes the same choices, as far as answers come in the same order. */
const SEED = 1

export async function measureRate(forge: RatedForge, options: RateOptions): Promise<Figures> {
  const { writers, seconds, people, repositories, statisticsMs } = options
  const { queue } = forge
  await using effects = await Effects.open(forge.meter)
  const { webhookUrl } = effects
  const scene = await makeScene(forge.tried, { people, repositories, atOnce: writers, webhookUrl })
  await drain(forge, statisticsMs)
  const work = new Work()
  const before = { usage: await forge.usage(), finished: await queue.countFinished() }
  await using watch = new QueueWatch(queue)
  const began = performance.now()
  const onIssue = effects.follow.bind(effects)
  await write({ scene, writers, ms: seconds * 1000, dice: new Dice(SEED), work, onIssue })
  const wrote = (performance.now() - began) / 1000
  const atEnd = { ...(await queue.look()), finished: (await queue.countFinished()) - before.finished }
  const drained = await drain(forge, statisticsMs)
  const used = subtract(await forge.usage(), before.usage)
  const jobs = (await queue.countFinished()) - before.finished
  for (const [what, count] of work.failures) console.error(`failed ${count} times: ${what}`)
  const { requests } = work
  return {
    'writing: s': wrote,
    'requests done': requests,
    'requests that failed': work.failed,
    'requests a second': requests / wrote,
    'jobs finished while writing, a second': atEnd.finished / wrote,
    'jobs waiting, most': Math.max(watch.mostWaiting, atEnd.waiting),
    'jobs waiting at the end of writing': atEnd.waiting,
    'age of the oldest, most until drained, s': Math.max(watch.oldest, atEnd.oldest),
    'age of the oldest at the end of writing, s': atEnd.oldest,
    ...figuresOf(drained),
    'jobs finished in all': jobs,
    'jobs a request': jobs / requests,
    ...costOf('a request with its jobs', used, requests),
    ...costOf('a job with its share of requests', used, jobs),
    ...(await latenciesOf(effects)),
  }
}

/** An idle forge with an empty queue. */
export async function measureRest(forge: RatedForge, seconds: number): Promise<Figures> {
  const before = await forge.usage()
  await sleep(seconds * 1000)
  const { unit, statements, postgresMs, nodesMs } = subtract(await forge.usage(), before)
  const nodes = forge.tried.nodes.length
  return {
    'at rest: s': seconds,
    [`${unit} a second and node`]: statements / seconds / nodes,
    'PostgreSQL CPU s': postgresMs / 1000,
    'node CPU s, all nodes': nodesMs / 1000,
  }
}

async function latenciesOf(effects: Effects): Promise<Figures> {
  const figures: Figures = {}
  for (const { effect, samples, missing, p50, p99 } of await effects.end()) {
    figures[`${effect}: samples`] = samples
    figures[`${effect}: not seen`] = missing
    figures[`${effect}: p50 ms`] = p50
    figures[`${effect}: p99 ms`] = p99
  }
  return figures
}
