/**
 * `npm run prove:pushes`: how many pushes a minute this machine takes, and what a push costs in statements, jobs, git
 * processes, object store operations and bytes.
 *
 *   npm run prove:pushes -- [--repositories 1] [--rate 1000] [--minutes 1] [--pushers 20] [--nodes 3] [--store s3] [--statements 0]
 *
 * One repository in ten has a webhook and one in ten a workflow for pushes; people watch, and there are pull requests
 * from some of the branches. Figures of different machines do not compare.
 */
import { parseArgs } from 'node:util'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { print } from '../queue-rate/figures.ts'
import { RatedForge } from '../queue-rate/rated-forge.ts'
import { measurePushes } from './rate.ts'

const { values } = parseArgs({
  options: {
    repositories: { type: 'string', default: '1' },
    rate: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '1' },
    pushers: { type: 'string', default: '20' },
    nodes: { type: 'string', default: '3' },
    store: { type: 'string', default: 's3' },
    statements: { type: 'string', default: '0' },
  },
})
const nodes = Number(values.nodes)
const first = await findFreePorts(nodes)
await using forge = await RatedForge.open({
  nodes,
  store: values.store === 's3' ? 's3' : 'disk',
  settings: [`operations.port=${first}`],
})
const { figures, statements } = await measurePushes(forge, {
  repositories: Number(values.repositories),
  pushers: Number(values.pushers),
  rate: Number(values.rate),
  seconds: Number(values.minutes) * 60,
  ports: Array.from({ length: nodes }, (_, i) => first + i),
})
print(`Pushes: ${values.repositories} repositories, ${values.rate} a minute, ${values.nodes} nodes`, figures)
for (const { text, calls } of statements.slice(0, Number(values.statements)))
  console.log(`${calls.toFixed(2).padStart(7)}  ${text.replaceAll(/\s+/g, ' ').slice(0, 180)}`)
if (figures['pushes that failed'] !== 0 || figures['jobs left'] !== 0) process.exitCode = 1
