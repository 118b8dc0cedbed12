/** Branches: list, get, create, update and delete. */

import type { Static } from 'typebox'
import { protectionOf } from '#domains/code/protections'
import {
  countRefs,
  createRef,
  deleteRef,
  findCommits,
  findRef,
  type GitRef,
  HEADS,
  isAncestor,
  listRefs,
  moveRefs,
  TAGS,
} from '#git'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { invalid, notFound, Problem } from '#platform/problem'
import type { Page } from '#platform/rest'
import { loadParts } from '../commits/commits.ts'
import { type Code, type CodeWrite, getRevision } from '../open-code.ts'
import { codePolicy } from '../refs/ref-policy.ts'
import type { CreateBranch, UpdateBranch } from '../schemas.ts'
import type { LoadedBranch } from './branch-wire.ts'

export async function listBranches(
  ctx: Context,
  code: Code,
  contains: string,
  page: Page,
): Promise<{ branches: LoadedBranch[]; total: number }> {
  const wanted = { prefixes: [HEADS], contains }
  const refs = await listRefs(ctx.db, code.storage_id, { ...wanted, skip: page.offset, limit: page.limit })
  const total = contains === '' ? code.branches : await countRefs(ctx.db, code.storage_id, wanted)
  return { branches: await loadBranches(ctx, code, refs), total }
}

export async function createBranch(
  ctx: Context,
  { repo, actor }: CodeWrite,
  input: Static<typeof CreateBranch>,
): Promise<LoadedBranch> {
  const { new_branch_name: name, old_branch_name, old_ref_name } = input
  if (repo.branches === 0) throw notFound('branch', repo.default_branch)
  const { oid } = await getRevision(ctx, repo, old_ref_name || (old_branch_name && HEADS + old_branch_name), {
    withLost: true,
  })
  // Compat: a branch and a tag of one name would be ambiguous.
  if (await findRef(ctx.db, repo.storage_id, TAGS + name))
    throw new Problem('conflict', 'a tag with this name already exists')
  await createRef(ctx, repo.storage_id, { ref: HEADS + name, target: oid }, codePolicy(repo, actor))
  return getBranch(ctx, repo, name)
}

export async function getBranch(ctx: Context, code: Code, name: string): Promise<LoadedBranch> {
  const ref = await getRef(ctx, code, name)
  const [branch] = await loadBranches(ctx, code, [ref])
  if (branch === undefined) throw notFound('branch', name)
  return branch
}

/** Compat: fast-forward only, unless forced. */
export async function updateBranch(
  ctx: Context,
  { repo, actor }: CodeWrite,
  name: string,
  input: Static<typeof UpdateBranch>,
): Promise<void> {
  const ref = await getRef(ctx, repo, name)
  const { oid } = await getRevision(ctx, repo, input.new_commit_id, { withLost: true })
  if (input.old_commit_id && input.old_commit_id !== ref.oid)
    throw invalid('old_commit_id does not match: fetch first', {
      expected: input.old_commit_id,
      actual: ref.oid,
    })
  if (oid === ref.oid) return
  if (!input.force && !(await isAncestor(ctx, repo.storage_id, ref.oid, oid)))
    throw invalid('update is not a fast-forward: force is required')
  const update = { name: ref.name, old: ref.oid, new: oid, peeled: null }
  const change = { storageId: repo.storage_id, updates: [update], isAtomic: true }
  const [result] = await moveRefs(ctx, change, codePolicy(repo, actor))
  if (result?.refusal !== undefined) throw new Problem('conflict', result.refusal)
}

export async function deleteBranch(ctx: Context, { repo, actor }: CodeWrite, name: string): Promise<void> {
  await deleteRef(ctx, repo.storage_id, { ref: HEADS + name }, codePolicy(repo, actor))
}

export async function getRef(ctx: Context, code: Code, name: string): Promise<GitRef> {
  const ref = await findRef(ctx.db, code.storage_id, HEADS + name)
  if (ref === undefined) throw notFound('branch', name)
  return ref
}

/** One git process for the commits that are not cached, one query for all protections. */
export async function loadBranches(
  ctx: Context,
  code: Code,
  refs: readonly GitRef[],
): Promise<LoadedBranch[]> {
  if (refs.length === 0) return []
  const names = refs.map(({ name }) => name.slice(HEADS.length))
  const protections = await protectionOf(ctx, code, names)
  const commits = await findCommits(
    ctx,
    code.storage_id,
    refs.map(({ oid }) => oid),
  )
  return refs.flatMap(({ oid }, i) => {
    const name = must(names[i], 'there are as many answers as names')
    const commit = commits.get(oid)
    const protection = protections.get(name)
    return commit === undefined || protection === undefined ? [] : [{ name, commit, protection }]
  })
}

/** Further parts of branch records: users and signatures. */
export function loadBranchParts(ctx: Context, code: Code, branches: readonly LoadedBranch[]) {
  return loadParts(
    ctx,
    code,
    branches.map(({ commit }) => commit),
    {},
  )
}
