/**
 * `npm run prove:queue-rate`: whether the job queue keeps up with writers, and what it costs when idle.
 *
 *   npm run prove:queue-rate -- [--writers 16] [--minutes 1] [--nodes 1] [--store disk|s3] [--rest 30]
 *   npm run prove:queue-rate -- --seed [--scale 1]
 *   npm run prove:queue-rate -- --backlog 2000
 *
 * With --seed a forge is filled over REST, and the queue is drained. With --backlog this many issues are opened first, and
 * then their events are delivered. Figures of different machines do not compare.
 */
import { parseArgs } from 'node:util'
import { measureBacklog } from './backlog.ts'
import { print } from './figures.ts'
import { STATISTICS_MS } from './queue.ts'
import { measureRate, measureRest } from './rate.ts'
import { RatedForge } from './rated-forge.ts'
import { measureSeed } from './seed.ts'

const PEOPLE = 20
const REPOSITORIES = 60

const { values } = parseArgs({
  options: {
    writers: { type: 'string', default: '16' },
    minutes: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '1' },
    store: { type: 'string', default: 'disk' },
    rest: { type: 'string', default: '30' },
    seed: { type: 'boolean', default: false },
    backlog: { type: 'string' },
    scale: { type: 'string', default: '1' },
  },
})
const writers = Number(values.writers)
const store = values.store === 's3' ? 's3' : 'disk'
await using forge = await RatedForge.open({ nodes: Number(values.nodes), store })
const on = `${writers} writers, ${values.nodes} nodes`
const seconds = Number(values.minutes) * 60
const figures = values.seed
  ? await measureSeed(forge, { writers, scale: Number(values.scale) })
  : values.backlog !== undefined
    ? await measureBacklog(forge, { writers, issues: Number(values.backlog) })
    : await measureRate(forge, {
        writers,
        seconds,
        people: PEOPLE,
        repositories: REPOSITORIES,
        statisticsMs: STATISTICS_MS,
      })
print(`${values.seed ? 'Seed' : values.backlog !== undefined ? 'Backlog' : 'Rate'}: ${on}`, figures)
if (figures['jobs left'] !== 0) process.exitCode = 1
print('At rest', await measureRest(forge, Number(values.rest)))
