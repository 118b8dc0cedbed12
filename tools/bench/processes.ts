/** What processes of this machine have used, by /proc. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The clock of /proc. */
const TICK_MS = 10

export async function childrenOf(pid: number, word?: string): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(pid), ...(word === undefined ? [] : ['-f', word])])
  return stdout.trim().split('\n').map(Number)
}

/** Milliseconds of a processor. */
export async function spentMs(pids: readonly number[]): Promise<number> {
  let ticks = 0
  for (const pid of pids) ticks += await ticksOf(pid, 2)
  return ticks * TICK_MS
}

/** Milliseconds of a processor that it and its children used, those that have ended included, except for some children. */
export async function spentByTreeMs(pid: number, except: readonly number[] = []): Promise<number> {
  // pgrep fails where a process has no children.
  const children = await childrenOf(pid).catch(() => [])
  const living = [pid, ...children.filter((child) => !except.includes(child))]
  const spent = await Promise.all(living.map((it) => ticksOf(it, 4)))
  return spent.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS
}

/** All that a process has in memory, shared or not. */
export async function residentMiB(pid: number): Promise<number> {
  return mebibytes(await readFile(`/proc/${pid}/status`, 'utf8'), /VmRSS:\s+(\d+)/)
}

/** What is shared is counted once for all of them. */
export async function sharedOutMiB(pids: readonly number[]): Promise<number> {
  let sum = 0
  for (const pid of pids)
    sum += mebibytes(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''), /Pss:\s+(\d+)/)
  return sum
}

export async function environmentOf(pid: number): Promise<Record<string, string>> {
  const lines = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0')
  return Object.fromEntries(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
}

function mebibytes(text: string, kibibytes: RegExp): number {
  return Math.round(Number(kibibytes.exec(text)?.[1] ?? 0) / 1024)
}

/** Of a process: user and system time, and with four fields those of its children that have ended. */
async function ticksOf(pid: number, fields: 2 | 4): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const numbers = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 11 + fields)
  return numbers.reduce((sum, it) => sum + Number(it), 0)
}
