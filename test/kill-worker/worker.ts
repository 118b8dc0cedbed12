/** A worker to be killed: nothing but the queue and one consumer. Its database is the first argument. */
import { randomBytes } from 'node:crypto'
import { loadConfig, openWorld } from '#cli'
import { startWorker } from '#jobs'
import { defineSlice } from '#slices'
import { anvil } from './consumer.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const config = loadConfig({
  environment: {},
  overrides: {
    'database.url': url,
    'store.folder': folder,
    'secrets.keys': randomBytes(32).toString('hex'),
    'jobs.dead_after_ms': 2_000,
    'jobs.attempts_max': 100,
    'log.level': 'silent',
  },
}).values
const { world, database } = await openWorld(config, {
  listening: { host: '127.0.0.1', port: 0 },
  slices: [defineSlice({ name: 'anvil', consumers: [anvil] })],
})
const ctx = { ...world, actor: null, signal: new AbortController().signal }
await startWorker(ctx, database.queue, { consumers: [anvil], tasks: [], jobs: [] })
console.log('working')
