/** Splits URLs of the web UI into revision and path, both of which may contain slashes. */
import { findRefs, HEADS, type Revision, TAGS } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { type Code, getRevision } from '../open-code.ts'
import { normalizePath } from './read-files.ts'

const PREFIXES: Readonly<Record<string, string>> = { branch: HEADS, tag: TAGS }
/** The maximum number of components of a ref name. */
const PARTS_MAX = 64

/** `a` and `a/b` cannot both be refs, so the split is unique. */
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

/** The target of a page URL: a file or directory of a revision. */
export interface Place {
  readonly kind: 'branch' | 'tag' | 'commit'
  /** The name as in the URL. */
  readonly name: string
  /** Without leading and trailing slashes; empty for the whole tree. */
  readonly path: string
  /** The unambiguous name for operations. */
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

/** URLs of other forges, which do not state whether the name is a branch, a tag or a commit. */
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
