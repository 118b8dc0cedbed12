/** Creates a branch of a fork at a branch of its parent, for a change that the parent is asked to take. */
import { createRef, findCommit, findRef, HEADS, listRefs } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { CodeWrite } from '../open-code.ts'
import { parentOf, shareParent } from './parent.ts'
import { codePolicy } from './ref-policy.ts'

const PREFIX = 'patch-'
const PATCHES_MAX = 1_000

/** Returns the name of the branch: the first of `patch-1`, `patch-2`… that the fork does not have. */
export async function branchFromParent(
  ctx: Context,
  { repo: fork, actor }: CodeWrite,
  parentBranch: string,
): Promise<string> {
  const parent = parentOf(fork)
  const start = await findRef(ctx.db, parent.storage_id, HEADS + parentBranch)
  if (start === undefined) throw notFound('branch', parentBranch)
  if ((await findCommit(ctx, fork.storage_id, start.oid)) === undefined) await shareParent(ctx, fork)
  const name = await findFreeName(ctx, fork)
  await createRef(ctx, fork.storage_id, { ref: HEADS + name, target: start.oid }, codePolicy(fork, actor))
  return name
}

async function findFreeName(ctx: Context, { storage_id }: CodeWrite['repo']): Promise<string> {
  const prefixes = [HEADS + PREFIX]
  const refs = await listRefs(ctx.db, storage_id, { prefixes, skip: 0, limit: PATCHES_MAX })
  const taken = new Set(refs.map(({ name }) => name))
  let number = 1
  while (taken.has(`${HEADS}${PREFIX}${number}`)) number++
  return `${PREFIX}${number}`
}
