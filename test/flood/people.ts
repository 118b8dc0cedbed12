/** Users at work: they clone, push and call the API, one thing after the other, and each must succeed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryGit } from '../chaos/git.ts'

export interface Person {
  readonly login: string
  readonly token: string
  readonly url: string
}

export interface Deed {
  readonly what: 'rest' | 'clone' | 'push'
  readonly ms: number
  /** Why it failed. */
  readonly failure: string | undefined
}

const THINK_MS = 100
const REST_MS_MAX = 60_000

/** Until the signal; the current operation is finished. */
export async function work(person: Person, signal: AbortSignal): Promise<Deed[]> {
  const records: Deed[] = []
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-flood-'))
  const note = async (what: Deed['what'], act: () => Promise<string | undefined>) => {
    const began = performance.now()
    const failure = await act().catch((error: Error) => error.message)
    records.push({ what, ms: performance.now() - began, failure })
    await sleep(THINK_MS)
  }
  const remote = new URL(`${person.url}/${person.login}/own.git`)
  remote.username = person.token
  try {
    for (let i = 0; !signal.aborted; i++) {
      const tree = join(folder, String(i))
      await note('rest', () => get(person, '/user'))
      await note('clone', () => ran(folder, ['clone', '--quiet', remote.href, tree]))
      if (records.at(-1)?.failure !== undefined) continue
      await writeFile(join(tree, 'file'), `${i} of ${person.login}`)
      await ran(tree, ['add', '--all'])
      await ran(tree, ['commit', '--quiet', '--message', String(i)])
      await note('push', () => ran(tree, ['push', '--quiet', 'origin', 'HEAD:main']))
      await note('rest', () => get(person, `/repos/${person.login}/own/commits?limit=5`))
      await note('rest', () => get(person, `/repos/${person.login}/own/contents/file`))
      await rm(tree, { recursive: true, force: true })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return records
}

async function get({ url, token }: Person, path: string): Promise<string | undefined> {
  const headers = { authorization: `token ${token}`, 'x-forwarded-for': '203.0.113.7' }
  const response = await fetch(`${url}/api/v1${path}`, { headers, signal: AbortSignal.timeout(REST_MS_MAX) })
  const text = await response.text()
  return response.status === 200 ? undefined : `${path}: ${response.status} ${text.slice(0, 200)}`
}

async function ran(folder: string, args: readonly string[]): Promise<string | undefined> {
  const { code, complaint } = await tryGit(folder, args)
  return code === 0 ? undefined : `git ${args[0]} ended with ${code}: ${complaint.slice(0, 300)}`
}

/** In whole milliseconds. */
export function percentile(records: readonly Deed[], part: number): number {
  const sorted = records.map(({ ms }) => ms).sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
}
