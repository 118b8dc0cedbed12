/**
 * Resolves a revision that a user names: a branch, a tag, a full ref, an object id or a prefix of one. Refs are looked up
 * in PostgreSQL; git gets only ids and never sees anything it could take for an expression.
 */
import { type Context, once } from '#platform/context'
import { HEADS, isRefName, TAGS } from '../../refs/names.ts'
import { findRefs } from '../../refs/read.ts'
import { getStorage, OID_DIGITS } from '../../storage/storage.ts'
import type { GitRef, StorageId } from '../../tables.ts'
import { cached } from '../cached.ts'
import { readHeaders } from '../objects/objects.ts'
import { withRepository } from '../with-repository.ts'
import { isReached } from './reached.ts'

export interface Revision {
  /** Id of a commit: tags are peeled. */
  readonly oid: string
  readonly kind: 'branch' | 'tag' | 'ref' | 'commit'
  /** The full name of the ref; null for an id. */
  readonly ref: string | null
}

/** Which unreachable commits may be resolved. */
export interface Reach {
  /**
   * Also resolve a full id of a commit that was force-pushed away or deleted: for callers with write access, who may
   * restore it.
   */
  readonly withLost?: boolean
}

const HEX = /^[0-9a-f]+$/
/** Fewer digits are too ambiguous and too easily guessed. */
const SHORT_DIGITS_MIN = 7

const PLACES = [
  { prefix: HEADS, kind: 'branch' },
  { prefix: TAGS, kind: 'tag' },
] as const

/**
 * Compat: a branch wins over a tag of the same name, and both win over an id. An id resolves only to a commit that a ref
 * reaches.
 */
export async function resolveRevision(
  ctx: Context,
  storageId: StorageId,
  text: string,
  reach: Reach = {},
): Promise<Revision | undefined> {
  const keyOf = (text: string) => `revision ${storageId} ${reach.withLost ?? false} ${text}`
  const found = await once(ctx, keyOf(text), () => findRevision(ctx, storageId, text, reach))
  // After a short id, the same request looks up the full one.
  return found?.kind === 'commit' ? once(ctx, keyOf(found.oid), async () => found) : found
}

async function findRevision(
  ctx: Context,
  storageId: StorageId,
  text: string,
  reach: Reach,
): Promise<Revision | undefined> {
  const name = text === 'HEAD' ? (await getStorage(ctx.db, storageId)).head : text
  const candidates = [...PLACES.map(({ prefix }) => `${prefix}${name}`), name].filter(isRefName)
  const refs = await findRefs(ctx.db, storageId, candidates)
  const ref = refs.get(candidates.find((it) => refs.has(it)) ?? '')
  if (ref !== undefined) return followRef(ctx, storageId, ref)
  return resolveId(ctx, storageId, text.toLowerCase(), reach)
}

async function followRef(ctx: Context, storageId: StorageId, ref: GitRef): Promise<Revision | undefined> {
  const oid = ref.peeled_oid ?? ref.oid
  const kind = PLACES.find(({ prefix }) => ref.name.startsWith(prefix))?.kind ?? 'ref'
  // Branches point to commits only; a tag may point to a tree or a blob.
  if (kind === 'branch') return { oid, kind, ref: ref.name }
  const commit = await findCommitId(ctx, storageId, oid)
  return commit && { oid: commit.oid, kind, ref: ref.name }
}

async function resolveId(
  ctx: Context,
  storageId: StorageId,
  digits: string,
  { withLost = false }: Reach,
): Promise<Revision | undefined> {
  const storage = await getStorage(ctx.db, storageId)
  const most = OID_DIGITS[storage.object_format]
  if (!HEX.test(digits) || digits.length < SHORT_DIGITS_MIN || digits.length > most) return undefined
  const isWhole = digits.length === most
  const commit = isWhole
    ? await findCommitId(ctx, storageId, digits)
    : await askForCommit(ctx, storageId, digits)
  if (commit === undefined) return undefined
  if (!(withLost && isWhole) && !(await isReached(ctx, storage, commit.oid))) return undefined
  return { oid: commit.oid, kind: 'commit', ref: null }
}

/** A full id always resolves to the same object, so it is cached. */
function findCommitId(ctx: Context, storageId: StorageId, oid: string): Promise<{ oid: string } | undefined> {
  return cached(ctx, storageId, 'commit-id', [oid], () => askForCommit(ctx, storageId, oid))
}

/** Also undefined for an ambiguous prefix. */
async function askForCommit(
  ctx: Context,
  storageId: StorageId,
  digits: string,
): Promise<{ oid: string } | undefined> {
  const [object] = await withRepository(ctx, storageId, (path) =>
    readHeaders(ctx, path, [`${digits}^{commit}`]),
  )
  if (object === undefined) return undefined
  const isTag = !object.oid.startsWith(digits)
  // Git also tries other meanings of a short word (`refs/remotes/…`); only an object with this prefix, or a tag with this
  // full id, was requested.
  return isTag && digits.length < object.oid.length ? undefined : { oid: object.oid }
}
