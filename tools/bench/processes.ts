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
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    ticks += user + system
  }
  return ticks * TICK_MS
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
