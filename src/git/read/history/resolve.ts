/**
 * What a user calls a revision: a branch, a tag, a whole ref, an object id or the beginning of one. Refs are looked up
 * in PostgreSQL; only ids reach git, and nothing that git would take for an expression is ever said to it.
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
  /** Of a commit: tags are followed to what they stand for. */
  readonly oid: string
  readonly kind: 'branch' | 'tag' | 'ref' | 'commit'
  /** The whole name of the ref; null for an id. */
  readonly ref: string | null
}

/** What a name may lead to beyond what the refs of the repository reach. */
export interface Reach {
  /** A whole id of what was forced away or deleted, too: for those who may write, and so bring it back. */
  readonly withLost?: boolean
}

const HEX = /^[0-9a-f]+$/
/** Fewer digits say too little, and are guessed too soon. */
const SHORT_DIGITS_MIN = 7

const PLACES = [
  { prefix: HEADS, kind: 'branch' },
  { prefix: TAGS, kind: 'tag' },
] as const

/**
 * Compat: a branch wins over a tag of the same name, and both win over an id. An id leads to what a ref reaches, and to
 * nothing that was taken away.
 */
export async function resolveRevision(
  ctx: Context,
  storageId: StorageId,
  text: string,
  reach: Reach = {},
): Promise<Revision | undefined> {
  const keyOf = (text: string) => `revision ${storageId} ${reach.withLost ?? false} ${text}`
  const found = await once(ctx, keyOf(text), () => findRevision(ctx, storageId, text, reach))
  // A page that was given a short id goes on by the whole one.
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
  // Branches hold commits and nothing else; a tag may stand for a tree or a file.
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

/** A whole id always means the same. */
function findCommitId(ctx: Context, storageId: StorageId, oid: string): Promise<{ oid: string } | undefined> {
  return cached(ctx, storageId, 'commit-id', [oid], () => askForCommit(ctx, storageId, oid))
}

/** undefined as well when several commits begin like this: nobody can say which was meant. */
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
  // Git also tries its own ways with a short word (`refs/remotes/…`); only what begins like it, or is a tag with
  // that whole id, was asked for.
  return isTag && digits.length < object.oid.length ? undefined : { oid: object.oid }
}
