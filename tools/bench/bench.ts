/**
 * `npm run bench`: the promised ratios, in one run, because rates of a shared machine mean nothing alone.
 *
 * Rounds alternate between the forge and the floor; the first round is thrown away, the median kept.
 */
import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { bearerQuery, digestOf } from '../../src/domains/keys/bearers.ts'
import type { Tables } from '../../src/platform/db/index.ts'
import { tryForge } from '../../test/try-forge.ts'

const run = promisify(execFile)
const ROUNDS = 6
const SECONDS = 4
const CONNECTIONS = 8
const IDLE_SECONDS = 10

await using forge = await tryForge()
const [node] = await childrenOf(forge.pid, 'serve')
if (node === undefined) throw new Error('the forge has no node')
await sleep(IDLE_SECONDS * 1000)
const idleMiB = await residentMiB(node)

const token = await makeToken()
const bare = await startBare()
const rates = { forge: [] as number[], bare: [] as number[] }
for (let round = 0; round < ROUNDS; round++) {
  const forgeRate = await rate(`${forge.url}/api/v1/user`, token)
  const bareRate = await rate(bare.url, token)
  if (round === 0) continue
  rates.forge.push(forgeRate)
  rates.bare.push(bareRate)
}
bare.stop()
const ratio = median(rates.forge) / median(rates.bare)
const loadedMiB = await residentMiB(node)
console.log(JSON.stringify({ ratio: Number(ratio.toFixed(3)), ...rates, idleMiB, loadedMiB }))

async function makeToken(): Promise<string> {
  const answer = await fetch(`${forge.url}/api/v1/users/${forge.admin}/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${forge.admin}:${forge.password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'bench', scopes: ['all'] }),
  })
  return ((await answer.json()) as { sha1: string }).sha1
}

async function startBare(): Promise<{ url: string; stop: () => void }> {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (it) => new PostgresIntrospector(it),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const { sql } = bearerQuery(db, token).compile()
  const environment = await readFile(`/proc/${node}/environ`, 'utf8')
  const url = /BLOOMERY_DATABASE_URL=([^\0]*)/.exec(environment)?.[1] ?? ''
  const port = Number(new URL(forge.url).port) + 100
  const program = `${import.meta.dirname}/bare.ts`
  const digest = digestOf(token).toString('hex')
  const child = spawn(process.execPath, [program, url, sql, digest, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return { url: `http://127.0.0.1:${port}/user`, stop: () => child.kill() }
}

async function rate(url: string, bearer: string): Promise<number> {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}`, '-H', `Authorization: token ${bearer}`, url]
  const { stdout } = await run('wrk', args)
  // wrk counts refusals as requests: a rate of failures is no rate.
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`answers failed: ${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function childrenOf(pid: number, word: string): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(pid), '-f', word])
  return stdout.trim().split('\n').map(Number)
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
