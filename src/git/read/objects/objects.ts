/** Raw objects, many in one process, by `git cat-file --batch`. */
import type { Context } from '#platform/context'
import { startGit } from '../../command/run.ts'
import { SAFE_ENV } from '../with-repository.ts'
import { ByteReader } from './split.ts'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

export interface ObjectHeader {
  readonly oid: string
  readonly type: ObjectType
  readonly size: number
}

export interface GitObject extends ObjectHeader {
  /** At most the requested number of bytes. */
  readonly data: Buffer
}

const HEADER = /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/

/**
 * In the order of the names; undefined for missing objects. A name is an object id, optionally followed by `:path` or
 * `^{type}`; names are NUL-terminated, so a path may contain anything.
 */
export async function readObjects(
  ctx: Context,
  path: string,
  names: readonly string[],
  bytesMax: number,
): Promise<(GitObject | undefined)[]> {
  return converse(ctx, path, ['--batch', '--buffer', '-z'], names, async (reader) => {
    const found: (GitObject | undefined)[] = []
    for (const name of names) found.push(await readObject(reader, name, bytesMax))
    return found
  })
}

/** The same without content. */
export async function readHeaders(
  ctx: Context,
  path: string,
  names: readonly string[],
): Promise<(ObjectHeader | undefined)[]> {
  return converse(ctx, path, ['--batch-check', '--buffer', '-z'], names, async (reader) => {
    const found: (ObjectHeader | undefined)[] = []
    for (const name of names) found.push(await readHeader(reader, name))
    return found
  })
}

/** Only the first bytes of one object: git is killed when there is more. */
export async function readBeginning(
  ctx: Context,
  path: string,
  name: string,
  bytesMax: number,
): Promise<GitObject | undefined> {
  return converse(ctx, path, ['--batch', '-z'], [name], async (reader, stop) => {
    const header = await readHeader(reader, name)
    if (header === undefined) return undefined
    const data = await need(reader.take(Math.min(header.size, bytesMax), bytesMax))
    if (header.size > bytesMax) stop()
    return { ...header, data }
  })
}

type Talk<T> = (reader: ByteReader, stop: () => void) => Promise<T>

async function converse<T>(
  ctx: Context,
  path: string,
  flags: readonly `-${string}`[],
  names: readonly string[],
  talk: Talk<T>,
): Promise<T> {
  const input = names.map((name) => `${name}\0`).join('')
  const running = startGit(ctx, { name: 'cat-file', flags }, { path, input, environment: SAFE_ENV })
  let isStopped = false
  const stop = () => {
    isStopped = true
    running.kill()
  }
  try {
    const answer = await talk(new ByteReader(running.output), stop)
    if (!isStopped) await running.done
    return answer
  } catch (error) {
    // The exit status of git explains more than the early end of its output.
    if (error instanceof EndedEarly) await running.done
    throw error
  } finally {
    running.kill()
    running.output.destroy()
  }
}

async function readObject(
  reader: ByteReader,
  name: string,
  bytesMax: number,
): Promise<GitObject | undefined> {
  const header = await readHeader(reader, name)
  if (header === undefined) return undefined
  const data = await need(reader.take(header.size, bytesMax))
  await need(reader.take(1, 0))
  return { ...header, data }
}

async function readHeader(reader: ByteReader, name: string): Promise<ObjectHeader | undefined> {
  const line = await need(reader.line())
  const [, oid, type, size] = HEADER.exec(line) ?? []
  if (oid !== undefined) return { oid, type: type as ObjectType, size: Number(size) }
  // «name missing»: git repeats the name as it was sent, including line feeds.
  for (let rest = name.split('\n').length - 1; rest > 0; rest--) await need(reader.line())
  return undefined
}

class EndedEarly extends Error {
  override name = 'EndedEarly'
}

async function need<T>(part: Promise<T | undefined>): Promise<T> {
  const found = await part
  if (found === undefined) throw new EndedEarly('unexpected end of git output')
  return found
}
