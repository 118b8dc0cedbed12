/** Messages to the pusher: where the pull request of a branch is, or where to open one. */

import type { Repository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { pageOfIssue } from '#domains/work/issues'
import { HEADS, isZeroOid, type RefUpdate } from '#git'
import type { Context } from '#platform/context'
import { listOwnFollowing } from '../records/store.ts'

/** Branches of one push that get a message. */
const BRANCHES_MAX = 3
/** A branch has one pull request unless it has several bases. */
const PULLS_MAX = 100

export async function tellOfPulls(
  ctx: Context,
  repo: Repository,
  moved: readonly RefUpdate[],
): Promise<string[]> {
  const names = moved
    .filter((it) => it.name.startsWith(HEADS) && !isZeroOid(it.new))
    .map(({ name }) => name.slice(HEADS.length))
    .filter((name) => name !== repo.default_branch)
    .slice(0, BRANCHES_MAX)
  if (names.length === 0 || !repo.units.includes('pulls')) return []
  const pulls = await listOwnFollowing(ctx.db, repo.id, names, PULLS_MAX)
  return names.flatMap((name) => {
    const own = pulls.find((it) => it.head_branch === name)
    const [words, address] =
      own === undefined
        ? [`Create a pull request for '${name}':`, compareAddress(ctx, repo, name)]
        : [`Pull request of '${name}':`, pageOfIssue({ ...own, is_pull: true }, repo, ctx.site)]
    return ['', words, `  ${address}`, '']
  })
}

/** Compares with the parent of a fork, if the caller may read the parent. */
function compareAddress(ctx: Context, repo: Repository, branch: string): string {
  const { parent } = repo
  const at = (owner: string, name: string) => `${ctx.site.url}/${owner}/${name}/compare`
  if (parent === null || !may(parent.access, 'read', 'code'))
    return `${at(repo.owner.login, repo.name)}/${repo.default_branch}...${encodeURIComponent(branch)}`
  const head = `${repo.owner.login}:${encodeURIComponent(branch)}`
  return `${at(parent.owner.login, parent.name)}/${parent.default_branch}...${head}`
}
