/** Parses template files in a worker thread, with fair turns per visitor; results, also negative ones, are cached. */
import { LRUCache } from 'lru-cache'
import { type Asker, WorkThread } from '#platform/thread'
import { NO_CONFIG, type ReadConfig } from './files.ts'
import type { IssueTemplate } from './template.ts'
import type { FileOrder, FileRead } from './thread.ts'

const thread = new WorkThread<FileOrder, FileRead>(new URL('thread.ts', import.meta.url), {
  timeMs: 1_000,
  memoryMb: 128,
  waitingMax: 128,
})

/** Keyed by path and object id, which determine the result for every repository. */
const KEPT_BYTES = 4 * 1024 * 1024
const kept = new LRUCache<string, FileRead>({
  maxSize: KEPT_BYTES,
  sizeCalculation: (read, key) => JSON.stringify(read).length + key.length,
})

interface BlobText {
  readonly oid: string
  readonly text: string
}

export async function readTemplateFile(
  asker: Asker,
  path: string,
  { oid, text }: BlobText,
): Promise<IssueTemplate | undefined> {
  return (await ask(asker, `${oid} ${path}`, { kind: 'template', path, text })).template
}

export async function readConfigFile(asker: Asker, { oid, text }: BlobText): Promise<ReadConfig> {
  const { config } = await ask(asker, oid, { kind: 'config', text })
  return config ?? { ...NO_CONFIG, fault: 'file takes too long to read' }
}

async function ask(asker: Asker, key: string, order: FileOrder): Promise<FileRead> {
  const known = kept.get(key)
  const read = known ?? (await thread.ask(order, asker)) ?? {}
  if (known === undefined) kept.set(key, read)
  return read
}
