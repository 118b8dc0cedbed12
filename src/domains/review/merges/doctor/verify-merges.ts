/**
 * Verifies each row of `pull_merge`: the commit has the tree that git merges base and head to, and is in the base
 * branch.
 */
import { checkMerge, findCommit, findRef, HEADS, isAncestor, isUnreadable, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { listMerges } from '../store.ts'

interface Finding {
  readonly about: string
  readonly fault: string
}

type Merge = Awaited<ReturnType<typeof listMerges>>[number]

const AT_ONCE = 100

/** Verifies the repository of this storage. Imported pull requests have no row in `pull_merge`. */
export async function verifyMerges(
  ctx: Context,
  storageId: StorageId,
): Promise<{ readonly merges: number; readonly findings: readonly Finding[] }> {
  const repo = await ctx.db
    .selectFrom('repository')
    .select('id')
    .where('storage_id', '=', storageId)
    .executeTakeFirst()
  const findings: Finding[] = []
  let merges = 0
  for (let after = 0; repo !== undefined; ) {
    const page = await listMerges(ctx.db, repo.id, after, AT_ONCE)
    for (const merge of page) {
      const fault = await findFault(ctx, storageId, merge).catch(tellUnreadable)
      if (fault !== undefined) findings.push({ about: `merge of pull request ${merge.number}`, fault })
    }
    merges += page.length
    after = page.at(-1)?.number ?? 0
    if (page.length < AT_ONCE) break
  }
  return { merges, findings }
}

async function findFault(ctx: Context, storageId: StorageId, merge: Merge): Promise<string | undefined> {
  const { merge_commit, base_oid, head_oid, tree, base_branch } = merge
  const names = `names commit ${merge_commit}`
  const commit = await findCommit(ctx, storageId, merge_commit)
  if (commit === undefined) return `${names}, which is missing`
  if (commit.tree !== tree) return `${names}, whose tree is ${commit.tree} and not ${tree}`
  const base = await findRef(ctx.db, storageId, HEADS + base_branch)
  // A deleted base branch has no history to check.
  if (base !== undefined && !(await isAncestor(ctx, storageId, merge_commit, base.oid)))
    return `${names}, which is not in ${base_branch}`
  if (merge.style === 'manually-merged') return undefined
  if (!(await isAncestor(ctx, storageId, base_oid, merge_commit)))
    return `${names}, which is not built upon ${base_oid}`
  const merged = await checkMerge(ctx, storageId, base_oid, head_oid)
  if (merged.kind === 'clean' && merged.tree === tree) return undefined
  return `has tree ${tree}, which is not what git merges ${base_oid} and ${head_oid} to`
}

function tellUnreadable(error: unknown): string {
  if (!isUnreadable(error)) throw error
  return 'has objects that cannot be read'
}
