/** Addresses of pages: a revision and a path in one, with slashes in both. */
import { findRefs, HEADS, TAGS } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { Code } from '../open-code.ts'

const PREFIXES: Readonly<Record<string, string>> = { branch: HEADS, tag: TAGS }
/** No ref has more parts than this in its name. */
const PARTS_MAX = 64

/** Of `a` and `a/b` only one can be a ref, so there is one way at most to read it. */
export async function splitPlace(
  ctx: Context,
  code: Code,
  kind: string,
  place: string,
): Promise<{ name: string; path: string }> {
  const parts = place.split('/')
  if (kind === 'commit') return { name: parts[0] ?? '', path: parts.slice(1).join('/') }
  const prefix = PREFIXES[kind]
  if (prefix === undefined) throw notFound('page', kind)
  const names = parts.slice(0, PARTS_MAX).map((_, i) => prefix + parts.slice(0, i + 1).join('/'))
  const refs = await findRefs(ctx.db, code.storage_id, names)
  const name = names.find((it) => refs.has(it))
  if (name === undefined) throw notFound(kind, place)
  return { name, path: place.slice(name.length - prefix.length + 1) }
}
