/** Types of pushed objects, stored with each ref so that git need not be queried again. */
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { gitText } from '../command/run.ts'

export interface PushedObject {
  readonly kind: string
  /** The object an annotated tag finally points to; null for other objects. */
  readonly peeled: string | null
}

/**
 * By object id; missing objects are not in the map. One process for all ids, started before they are known, because
 * starting takes longer than answering.
 */
export async function findPushedTypes(
  ctx: Context,
  path: string,
  oids: readonly string[] | Promise<readonly string[]>,
  patience: { readonly timeoutMs?: number } = {},
): Promise<Map<string, PushedObject>> {
  if ('length' in oids && oids.length === 0) return new Map()
  const asking = Promise.resolve(oids).then((known) => [...new Set(known)])
  const text = await gitText(
    ctx,
    { name: 'cat-file', flags: ['--batch-check=%(objecttype) %(objectname)'] },
    { path, input: Readable.from(questions(asking)), ...patience },
  )
  const asked = await asking
  const lines = text.split('\n')
  const found = new Map<string, PushedObject>()
  for (const [i, oid] of asked.entries()) {
    const [kind = '', own] = lines[2 * i]?.split(' ') ?? []
    const [, target] = lines[2 * i + 1]?.split(' ') ?? []
    if (own === oid) found.set(oid, { kind, peeled: kind === 'tag' && target !== undefined ? target : null })
  }
  return found
}

async function* questions(asking: Promise<readonly string[]>): AsyncGenerator<string> {
  const asked = await asking
  if (asked.length > 0) yield asked.map((oid) => `${oid}\n${oid}^{}\n`).join('')
}
