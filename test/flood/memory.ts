/** Memory of a node and all its children, sampled: the maximum seen. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Peak {
  nodeBytes: number
  gitBytes: number
  gitProcesses: number
}

const SAMPLE_MS = 100

export function watchMemory(pid: number): { readonly peak: Peak } & Disposable {
  const peak: Peak = { nodeBytes: 0, gitBytes: 0, gitProcesses: 0 }
  const timer = setInterval(() => {
    const gits = descendantsOf(pid).filter((it) => /(^|\/)git\0/.test(read(`/proc/${it}/cmdline`)))
    peak.nodeBytes = Math.max(peak.nodeBytes, bytesOf(pid, 'VmRSS'))
    peak.gitProcesses = Math.max(peak.gitProcesses, gits.length)
    // Memory-mapped files belong to the page cache, which is reclaimable.
    const bytes = gits.reduce((sum, it) => sum + bytesOf(it, 'RssAnon'), 0)
    peak.gitBytes = Math.max(peak.gitBytes, bytes)
  }, SAMPLE_MS)
  return { peak, [Symbol.dispose]: () => clearInterval(timer) }
}

function descendantsOf(pid: number): number[] {
  const children = readdir(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

function bytesOf(pid: number, field: 'VmRSS' | 'RssAnon'): number {
  const [, kibibytes = '0'] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`)) ?? []
  return Number(kibibytes) * 1024
}

function readdir(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
