/** Memory, files and children of processes: read from /proc, so Linux only. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Process {
  readonly pid: number
  readonly words: readonly string[]
}

const MB = 1_000_000

export function isAlive(pid: number): boolean {
  const status = read(`/proc/${pid}/status`)
  return status !== undefined && !/^State:\s+Z/m.test(status)
}

/** Processes that name a folder in their arguments, in their environment or as their working directory. */
export function processesOf(folder: string): Process[] {
  const found: Process[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const line = read(`/proc/${pid}/cmdline`)
    if (line === undefined || line === '') continue
    if (!`${line}\0${read(`/proc/${pid}/environ`) ?? ''}\0${cwdOf(pid)}`.includes(folder)) continue
    found.push({ pid, words: line.split('\0') })
  }
  return found
}

/** Git processes started by the forge, not by an attack. */
export function gitsOf(data: string): Process[] {
  return processesOf(data).filter(
    ({ pid, words }) =>
      /(^|\/)git(-[a-z-]+)?$/.test(words[0] ?? '') && !cwdOf(pid).startsWith(`${data}/work-`),
  )
}

/** Resident memory in MB; 0 when the process is gone. */
export function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '') ?? []
  return Math.round((Number(kilobytes) * 1024) / MB)
}

/** Calls `look` until it returns true, or the work is done. */
export async function watch(work: Promise<unknown>, look: () => boolean): Promise<void> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  while (!isOver && !look()) await sleep(50)
}

/** Resident memory in MB before some work, and its maximum meanwhile. */
export async function growthOf(
  pid: number,
  work: Promise<unknown>,
): Promise<{ before: number; most: number }> {
  const before = memoryOf(pid)
  let most = before
  await watch(work, () => {
    most = Math.max(most, memoryOf(pid))
    return false
  })
  return { before, most }
}

/** MB in unlinked files that a process has open. */
export function namelessOf(pid: number): number {
  let bytes = 0
  for (const descriptor of list(`/proc/${pid}/fd`)) {
    const path = `/proc/${pid}/fd/${descriptor}`
    try {
      if (readlinkSync(path).endsWith(' (deleted)')) bytes += statSync(path).blocks * 512
    } catch {
      // Closed meanwhile.
    }
  }
  return Math.round(bytes / MB)
}

/** All descendants of a process. */
export function descendantsOf(pid: number): Process[] {
  return childrenOf(pid).flatMap((child) => [{ pid: child, words: wordsOf(child) }, ...descendantsOf(child)])
}

/** Whether it is alive, and its pid was not reused. */
export function isStill({ pid, words }: Process): boolean {
  return isAlive(pid) && wordsOf(pid).join('\0') === words.join('\0')
}

function wordsOf(pid: number): string[] {
  return (read(`/proc/${pid}/cmdline`) ?? '').split('\0')
}

/** Direct children of a process. */
export function childrenOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`) ?? ''
  return children.split(' ').filter(Boolean).map(Number)
}

function cwdOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
