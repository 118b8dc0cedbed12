/** Addresses of pages: a revision and a path in one, with slashes in both. */
import { findRefs, HEADS, type Revision, TAGS } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { type Code, getRevision } from '../open-code.ts'
import { normalizePath } from './read-files.ts'

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

/** What an address of a page is about: a file or folder of a revision. */
export interface Place {
  readonly kind: 'branch' | 'tag' | 'commit'
  /** As addresses name it. */
  readonly name: string
  /** Without slashes at its ends; empty for the whole tree. */
  readonly path: string
  /** As operations are asked for it: nothing else has this name. */
  readonly ref: string
  readonly oid: string
}

const KINDS = new Set(['branch', 'tag', 'commit'])

export async function getPlace(ctx: Context, code: Code, kind: string, place: string): Promise<Place> {
  const { name, path } = await splitPlace(ctx, code, kind, place)
  const { oid, ref }: Revision = await getRevision(ctx, code, name)
  if (!isKind(kind)) throw notFound('page', kind)
  const shortName = kind === 'commit' ? name : name.slice((PREFIXES[kind] ?? '').length)
  return { kind, name: shortName, path: normalizePath(path), ref: ref ?? oid, oid }
}

/** Addresses that do not say whether they name a branch, a tag or a commit, as other forges write them. */
export async function guessPlace(
  ctx: Context,
  code: Code,
  place: string,
): Promise<Pick<Place, 'kind' | 'name' | 'path'>> {
  for (const kind of ['branch', 'tag'] as const) {
    const found = await splitPlace(ctx, code, kind, place).catch(() => undefined)
    if (found !== undefined)
      return { kind, name: found.name.slice((PREFIXES[kind] ?? '').length), path: found.path }
  }
  const { name, path } = await splitPlace(ctx, code, 'commit', place)
  return { kind: 'commit', name, path }
}

function isKind(kind: string): kind is Place['kind'] {
  return KINDS.has(kind)
}
