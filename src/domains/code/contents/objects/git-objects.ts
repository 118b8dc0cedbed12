/** Git objects by id or name: refs, trees, blobs, notes. */
import {
  type BlobRecord,
  findBlob,
  findEntry,
  findTypes,
  type GitRef,
  HEADS,
  isOid,
  type LoggedCommit,
  listCommits,
  listRefs,
  listTree,
  type ObjectType,
  resolveRevision,
  type TreePage,
} from '#git'
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { type Code, getRevision } from '../open-code.ts'

/** Compat: refs are not paged, so their number is bounded. */
const REFS_MAX = 5_000
const TREE_LIMIT_MAX = 1_000
/** Larger blobs are returned without content: the raw route serves them. */
export const BLOB_BYTES_MAX = 10 * 1024 * 1024
const NOTES = 'refs/notes/commits'

export interface TypedRef {
  readonly ref: GitRef
  readonly type: ObjectType
}

/** The ref of exactly this name, or all refs with this prefix. Compat: an empty result is not found. */
export async function listTypedRefs(ctx: Context, code: Code, start: string): Promise<TypedRef[]> {
  const prefix = `refs/${start}`
  const refs = await listRefs(ctx.db, code.storage_id, { prefixes: [prefix], limit: REFS_MAX })
  const exact = refs.filter(({ name }) => name === prefix)
  const wanted = exact.length > 0 ? exact : refs
  if (wanted.length === 0) throw notFound('ref', prefix)
  const unsure = wanted.filter((ref) => typeOf(ref) === undefined).map(({ oid }) => oid)
  const types = await findTypes(ctx, code.storage_id, unsure)
  return wanted.map((ref) => ({ ref, type: typeOf(ref) ?? types.get(ref.oid) ?? 'commit' }))
}

/** Branches are commits, and a ref with a peeled id is a tag; for other refs git is called. */
function typeOf({ name, peeled_oid }: GitRef): ObjectType | undefined {
  if (peeled_oid !== null) return 'tag'
  return name.startsWith(HEADS) ? 'commit' : undefined
}

export interface TreeAnswer extends TreePage {
  /** The resolved id: the commit if a commit was named, otherwise the tree. */
  readonly named: string
  readonly page: number
}

export async function getTree(
  ctx: Context,
  code: Code,
  name: string,
  query: { recursive?: boolean; page?: number; per_page?: number },
): Promise<TreeAnswer> {
  const revision = await resolveRevision(ctx, code.storage_id, name)
  const oid = revision?.oid ?? (await findTreeId(ctx, code, name))
  const page = Math.max(query.page ?? 1, 1)
  const asked = query.per_page ?? 0
  const limit = asked > 0 && asked < TREE_LIMIT_MAX ? asked : TREE_LIMIT_MAX
  const window = { path: '', isRecursive: query.recursive ?? false, skip: (page - 1) * limit, limit }
  const tree = oid === undefined ? undefined : await listTree(ctx, code.storage_id, oid, window)
  if (tree === undefined || oid === undefined) throw malformed('tree')
  return { ...tree, named: oid, page }
}

/** Only for tree ids, so that an unreachable commit cannot be read by its id. */
async function findTreeId(ctx: Context, code: Code, name: string): Promise<string | undefined> {
  const types = isOid(name) ? await findTypes(ctx, code.storage_id, [name]) : new Map()
  return types.get(name) === 'tree' ? name : undefined
}

export async function getBlob(ctx: Context, code: Code, sha: string): Promise<BlobRecord> {
  const blob = isOid(sha) ? await findBlob(ctx, code.storage_id, sha, BLOB_BYTES_MAX) : undefined
  if (blob === undefined) throw malformed('blob')
  return blob
}

/** Compat: an unknown id is 400, not 404. */
function malformed(what: string): Problem {
  return new Problem('malformed', `${what} not found`)
}

/** The note of a commit, and the last commit that wrote it. */
export async function getNote(
  ctx: Context,
  code: Code,
  name: string,
  details: { files?: boolean },
): Promise<{ message: string; commit: LoggedCommit }> {
  const { oid } = await getRevision(ctx, code, name)
  const notes = await getRevision(ctx, code, NOTES)
  for (const path of notePaths(oid)) {
    const entry = await findEntry(ctx, code.storage_id, notes.oid, path)
    const blob = entry && (await findBlob(ctx, code.storage_id, entry.oid, BLOB_BYTES_MAX))
    if (blob === undefined) continue
    const window = { skip: 0, limit: 1, withStats: true, withFiles: details.files ?? true }
    const history = { start: notes.oid, paths: [path] }
    const [commit] = await listCommits(ctx, code.storage_id, history, window)
    if (commit !== undefined) return { message: blob.data.toString('utf8'), commit }
  }
  throw notFound('note', oid)
}

/** git's fanout: with many notes, the first digits of the id become directories. */
function notePaths(oid: string): string[] {
  const parts = [oid.slice(0, 2), oid.slice(2, 4)]
  return [oid, `${parts[0]}/${oid.slice(2)}`, `${parts.join('/')}/${oid.slice(4)}`]
}
