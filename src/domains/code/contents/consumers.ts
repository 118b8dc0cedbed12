/** After refs moved: counts commits of branches, and detects languages and licences of the default branch. */
import {
  type FoundLanguages,
  getRepository,
  lockRepository,
  type Repository,
  setLanguages,
} from '#domains/code/repositories'
import { type Consumer, late, preparedConsumer } from '#events/consumer'
import {
  type BranchCount,
  countBranch,
  findBlobs,
  findRef,
  forgetBranchCounts,
  HEADS,
  isUnreadable,
  isZeroOid,
  keepBranchCount,
  listTree,
  type StorageId,
  type TreeEntry,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import type { Db } from '#platform/db'
import { Problem } from '#platform/problem'
import { languageOf } from './languages/language-names.ts'
import { detectLicense, LICENSE_FILE } from './languages/licenses.ts'

const PAGE = 10_000
/** Bounds the listed files; later files would hardly change the languages. */
const PAGES_MAX = 5
const LICENSES_MAX = 10
/** Further branches of one push are counted when they are first viewed. */
const COUNTED_MAX = 20

export const contentsConsumers: readonly Consumer[] = [
  preparedConsumer(
    'branches-counted',
    'refs.moved',
    async (ctx, { repository_id, updates }) => {
      const repo = await findRepository(ctx, repository_id)
      const moved = updates.filter(({ name, new: oid }) => name.startsWith(HEADS) && !isZeroOid(oid))
      return repo && { repo, counts: await countBranches(ctx, repo, moved.slice(0, COUNTED_MAX)) }
    },
    async (ctx, { updates }, _told, counted) => {
      if (counted === undefined) return
      const { repo, counts } = counted
      for (const count of counts) await keepBranchCount(ctx.db, repo.storage_id, count)
      const gone = updates.filter((it) => isZeroOid(it.new)).map(({ name }) => name)
      if (gone.length > 0) await forgetBranchCounts(ctx.db, repo.storage_id, gone)
    },
  ),
  // These lock the repository, so they run after the other consumers of the job.
  preparedConsumer(
    'languages-of-refs',
    'refs.moved',
    async (ctx, { repository_id, updates }) => {
      const repo = await findRepository(ctx, repository_id)
      const name = HEADS + (repo?.default_branch ?? '')
      return repo !== undefined && updates.some((it) => it.name === name) ? look(ctx, repo) : undefined
    },
    (ctx, { repository_id }, _told, findings) => keep(ctx, repository_id, findings),
  ),
  preparedConsumer(
    'languages-of-default-branches',
    'repository.default_branch_changed',
    async (ctx, { repository_id }) => {
      const repo = await findRepository(ctx, repository_id)
      return repo && look(ctx, repo)
    },
    (ctx, { repository_id }, _told, findings) => keep(ctx, repository_id, findings),
  ),
].map(late)

/** Skips commits that are already gone. */
async function countBranches(
  ctx: Context,
  repo: Repository,
  moved: readonly { readonly name: string; readonly new: string }[],
): Promise<BranchCount[]> {
  const counts: BranchCount[] = []
  for (const { name, new: oid } of moved) {
    const count = await countBranch(ctx, repo.storage_id, name, oid).catch(passOver)
    if (count !== undefined) counts.push(count)
  }
  return counts
}

/** Undefined when the repository has been deleted meanwhile. */
function findRepository(ctx: Context, id: number): Promise<Repository | undefined> {
  return getRepository(ctx, id).catch(passOverMissing)
}

function passOverMissing(error: unknown): undefined {
  if (!(error instanceof Problem && error.kind === 'not_found')) throw error
}

interface Findings extends FoundLanguages {
  readonly branch: string
  /** The commit whose files were read; undefined when the branch did not exist. */
  readonly oid: string | undefined
}

/** Reads the current default branch, not the state of the event. */
async function look(ctx: Context, repo: Repository): Promise<Findings> {
  const branch = repo.default_branch
  const oid = await findTip(ctx.db, repo.storage_id, branch)
  const files = await listFiles(ctx, repo, oid)
  const languages = new Map<string, number>()
  for (const { path, size } of files) {
    const language = languageOf(path)
    if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + (size ?? 0))
  }
  const licences = files.filter(({ path }) => LICENSE_FILE.test(path)).slice(0, LICENSES_MAX)
  return { branch, oid, languages, licenses: await findLicenses(ctx, repo, licences) }
}

async function findTip(db: Db, storageId: StorageId, branch: string): Promise<string | undefined> {
  return (await findRef(db, storageId, HEADS + branch))?.oid
}

async function listFiles(ctx: Context, repo: Repository, oid: string | undefined): Promise<TreeEntry[]> {
  if (oid === undefined) return []
  const files: TreeEntry[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { path: '', isRecursive: true, skip: page * PAGE, limit: PAGE }
    const tree = await listTree(ctx, repo.storage_id, oid, query).catch(passOver)
    files.push(...(tree?.entries.filter(({ type }) => type === 'blob') ?? []))
    if (!tree?.isTruncated) break
  }
  return files
}

/** Ignores objects that are too large or gone. */
function passOver(error: unknown): undefined {
  if (!isUnreadable(error)) throw error
}

async function findLicenses(ctx: Context, repo: Repository, files: readonly TreeEntry[]): Promise<string[]> {
  const blobs = await findBlobs(
    ctx,
    repo.storage_id,
    files.map(({ oid }) => oid),
  )
  const found = new Set<string>()
  for (const { data } of blobs.values()) {
    const license = await detectLicense(data.toString('utf8'))
    if (license !== undefined) found.add(license)
  }
  return [...found].sort()
}

/**
 * Two workers may write in another order than they read, so findings about an older commit are dropped: the newer commit
 * has its own event. The lock prevents another worker from writing between the check and the update.
 */
async function keep(ctx: TxContext, repositoryId: number, found: Findings | undefined): Promise<void> {
  if (found === undefined) return
  const repo = await lockRepository(ctx.db, repositoryId).catch(passOverMissing)
  if (repo?.default_branch !== found.branch) return
  const oid = await findTip(ctx.db, repo.storage_id, found.branch)
  if (oid === found.oid) await setLanguages(ctx, repositoryId, found)
}
