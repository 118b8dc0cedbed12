/** Resource usage of processes, from /proc. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Duration of one clock tick in /proc. */
const TICK_MS = 10

export async function childrenOf(pid: number, word?: string): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(pid), ...(word === undefined ? [] : ['-f', word])])
  return stdout.trim().split('\n').map(Number)
}

/** CPU milliseconds. */
export async function spentMs(pids: readonly number[]): Promise<number> {
  let ticks = 0
  for (const pid of pids) ticks += await ticksOf(pid, 2)
  return ticks * TICK_MS
}

/** CPU milliseconds of a process and its children, including ended ones; without the children in `except`. */
export async function spentByTreeMs(pid: number, except: readonly number[] = []): Promise<number> {
  // pgrep fails if a process has no children.
  const children = await childrenOf(pid).catch(() => [])
  const living = [pid, ...children.filter((child) => !except.includes(child))]
  const spent = await Promise.all(living.map((it) => ticksOf(it, 4)))
  return spent.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS
}

/** Resident memory, including shared pages. */
export async function residentMiB(pid: number): Promise<number> {
  return mebibytes(await readFile(`/proc/${pid}/status`, 'utf8'), /VmRSS:\s+(\d+)/)
}

/** Memory with shared pages counted once (PSS). */
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

/** User and system time in ticks; with four fields, also those of ended children. */
async function ticksOf(pid: number, fields: 2 | 4): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const numbers = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 11 + fields)
  return numbers.reduce((sum, it) => sum + Number(it), 0)
}
