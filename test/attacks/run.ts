/**
 * Attacks throw-away forges of this checkout, and reports which attacks they withstand.
 *
 *   node test/attacks/run.ts [--only name,…] [--ci] [--times] [--port N]
 *
 * --only: attacks with these names or name prefixes.
 * --ci: those that `npm run check` runs.
 * --times: prints the duration of each attack in seconds.
 * --port: nodes listen on this port and the next ones, with S3 from 10 above; loopback only. Without it, on free ones.
 *
 * Prints one line an attack, then `N passed, N failed`; exits with 1 when one failed. Linux, `psql` and `pg_dump`.
 */
import { parseArgs } from 'node:util'
import { attacks } from './attacks.ts'
import type { Attack } from './kit/attack.ts'
import { type Outcome, Player } from './kit/play.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    ci: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
    port: { type: 'string' },
  },
})
const S3_PORTS_ABOVE = 10

const port = values.port === undefined ? undefined : Number(values.port)
const players = [
  new Player('disk', port),
  new Player('s3', port === undefined ? undefined : port + S3_PORTS_ABOVE),
]
const chosen = choose()
const counts = { passed: 0, failed: 0 }

process.umask(0o022)
// However this ends, the forges are stopped with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => giveUp(signal))
process.once('uncaughtException', (error) => giveUp(error.stack ?? error.message))
// Rejections of an attack that timed out.
process.on('unhandledRejection', (error) => console.error(`left behind: ${(error as Error).message}`))

if (chosen.length === 0) throw new Error(`there is no attack called ${values.only}`)
// The two kinds of forges run in parallel: most attacks wait for something.
await Promise.all(players.map((player) => player.playAll(chosen, tell)))
console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exit(counts.failed > 0 ? 1 : 0)

function choose(): Attack[] {
  const names = values.only?.split(',')
  const isNamed = ({ name }: Attack) => names?.some((it) => name.startsWith(it)) ?? true
  return attacks.filter((it) => isNamed(it) && (it.isInCi || !values.ci))
}

function tell({ attack, seen, skipped, seconds }: Outcome): void {
  const { name, holds } = attack
  const time = values.times ? ` # ${seconds} s` : ''
  const line = `${name}: ${holds}`
  if (skipped !== undefined) console.log(`skip - ${line} (${skipped})`)
  else if (seen === undefined) console.log(`ok - ${line}${time}`)
  else console.log(`not ok - ${line} (${seen.replaceAll('\n', ' ')})${time}`)
  if (skipped === undefined) counts[seen === undefined ? 'passed' : 'failed'] += 1
}

function giveUp(why: string): void {
  console.error(why)
  const stopped = Promise.allSettled(players.map((player) => player.stop()))
  stopped.then(
    () => process.exit(1),
    () => process.exit(1),
  )
}
