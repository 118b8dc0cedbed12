/**
 * `npm run bench [name …]`: measures the promised ratios in one run, because absolute rates of a shared machine mean
 * little. Each route is compared with a bare one that runs the same statements. Rounds alternate between the two; the
 * first is discarded, the median kept. Also prints the CPU milliseconds per request of node and PostgreSQL. With `--write` it
 * writes docs/benchmarks.md.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { tryForge } from '../../test/try-forge.ts'
import { childrenOf, environmentOf, residentMiB, spentMs } from './processes.ts'
import { type Figure, type Rate, reportOf } from './report.ts'
import { encode, statementsOf } from './statements.ts'
import { makeSubject, type Route, WRITERS } from './subject.ts'

const run = promisify(execFile)
const ROUNDS = 4
const SECONDS = 3
const CONNECTIONS = 8
const IDLE_SECONDS = 10
const REPORT = join(import.meta.dirname, '../../docs/benchmarks.md')

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
})
await using forge = await tryForge()
const [node] = await childrenOf(forge.pid, 'serve')
const [postgres] = await childrenOf(forge.pid, 'postgres')
if (node === undefined || postgres === undefined) throw new Error('the forge has no node')
await sleep(IDLE_SECONDS * 1000)
const idleMiB = await residentMiB(node)

const subject = await makeSubject(forge)
const { token } = subject
const routes = subject.routes.filter(({ name }) => asked.length === 0 || asked.includes(name))
const folder = await mkdtemp(join(tmpdir(), 'bloomery-bench-'))
const script = join(folder, 'requests.lua')
const bare = await startBare(routes)
const figures: Figure[] = []
for (const [number, route] of routes.entries()) {
  const forges: Rate[] = []
  const bares: Rate[] = []
  for (let round = 0; round < ROUNDS; round++) {
    forges.push(await measure(forge.url, route, node))
    const paths = route.paths.map((_, turn) => `/${number}/${turn}`)
    bares.push(await measure(bare.url, { name: `bare ${route.name}`, paths }, bare.pid, connectionsOf(route)))
  }
  const [ours, floor] = [median(forges.slice(1)), median(bares.slice(1))]
  const ratio = Number((ours.rate / floor.rate).toFixed(3))
  const figure = { name: route.name, ratio, statements: bare.statements[number] ?? 0, ours, floor }
  console.log(JSON.stringify(figure))
  figures.push(figure)
}
bare.stop()
await rm(folder, { recursive: true, force: true })
const memory = { idleMiB, loadedMiB: await residentMiB(node) }
console.log(JSON.stringify(memory))
if (values.write) {
  const { BLOOMERY_DATABASE_URL: url = '' } = await environmentOf(node)
  await writeFile(REPORT, await reportOf(figures, memory, url))
}

interface Bare {
  readonly url: string
  readonly pid: number
  readonly statements: readonly number[]
  stop(): void
}

async function startBare(routes: readonly Route[]): Promise<Bare> {
  const environment = await environmentOf(node ?? 0)
  const statements = await statementsOf(environment, routes, token)
  const file = join(folder, 'statements.json')
  const bared = routes.map(({ write }, i) => ({ isWrite: write !== undefined, requests: statements[i] }))
  await writeFile(file, encode(bared))
  const port = Number(new URL(forge.url).port) + 100
  const args = [`${import.meta.dirname}/bare.ts`, environment.BLOOMERY_DATABASE_URL ?? '', file, String(port)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    statements: statements.map((requests) => requests[0]?.length ?? 0),
    stop: () => child.kill(),
  }
}

function connectionsOf({ write }: Route): number {
  return write === undefined ? CONNECTIONS : WRITERS
}

/** The wrk script: each request takes the next path, and writes a new value. */
function scriptOf({ paths, write }: Route): string {
  const list = paths.map((path) => JSON.stringify(path)).join(', ')
  return `local paths, turn = { ${list} }, 0
local body = ${write === undefined ? 'nil' : JSON.stringify(write.body)}
wrk.headers["Authorization"] = "token ${token}"
${write === undefined ? '' : 'wrk.headers["Content-Type"] = "application/json"'}
function request()
  turn = turn + 1
  local said = body and body:gsub("TURN", os.time() .. "-" .. turn)
  return wrk.format("${write?.method ?? 'GET'}", paths[turn % #paths + 1], nil, said)
end
`
}

async function measure(
  url: string,
  route: Route,
  pid: number,
  connections = connectionsOf(route),
): Promise<Rate> {
  await writeFile(script, scriptOf(route))
  const args = ['-t1', `-c${connections}`, `-d${SECONDS}`, '-s', script, url]
  const before = [await spentMs([pid]), await spentMs(await childrenOf(postgres ?? 0))]
  const { stdout } = await run('wrk', args)
  const after = [await spentMs([pid]), await spentMs(await childrenOf(postgres ?? 0))]
  // wrk counts errors as requests, so any error fails the run.
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url}: answers failed: ${stdout}`)
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const [nodeMs = 0, postgresMs = 0] = after.map((ms, i) =>
    Number(((ms - (before[i] ?? 0)) / requests).toFixed(2)),
  )
  return { rate: Math.round(Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])), nodeMs, postgresMs }
}

/** By rate. */
function median(measured: readonly Rate[]): Rate {
  const middle = measured.toSorted((a, b) => a.rate - b.rate)[Math.floor(measured.length / 2)]
  if (middle === undefined) throw new Error('nothing was measured')
  return middle
}
