/**
 * Finds the code owners of a pull request: CODEOWNERS of its base, matched with the paths that its head changes. Runs
 * git.
 */

import type { Repository } from '#domains/code/repositories'
import type { PullRow } from '#domains/review/pulls'
import { diffFiles, findBlob, findEntries, findMergeBase, findRef, HEADS, isUnreadable } from '#git'
import type { Context } from '#platform/context'
import { findKnown, type Named } from '../requests/find-named.ts'
import { type Matched, matchRules } from './match.ts'
import { type OwnersRule, readOwners } from './read-owners.ts'

export interface FoundOwners {
  /** For each rule, the owners of whom one must approve. */
  readonly rules: readonly Named[]
  readonly isComplete: boolean
}

/** The first existing file is used. */
const PLACES = ['', 'docs/', '.gitea/', '.github/', '.bloomery/'].map((folder) => `${folder}CODEOWNERS`)
const FILE_BYTES_MAX = 256 * 1024
const NOBODY: FoundOwners = { rules: [], isComplete: true }
const UNKNOWN: FoundOwners = { rules: [], isComplete: false }

export async function findOwners(ctx: Context, repo: Repository, pull: PullRow): Promise<FoundOwners> {
  const base = await findRef(ctx.db, repo.storage_id, HEADS + pull.base_branch)
  if (base === undefined) return NOBODY
  const rules = await findRules(ctx, repo, base.oid)
  if (rules === undefined) return UNKNOWN
  if (rules.length === 0) return NOBODY
  const { rules: matched, isComplete } = await match(ctx, repo, pull, base.oid, rules)
  const known = await findKnown(ctx, repo, {
    reviewers: matched.flatMap(({ people }) => people),
    team_reviewers: matched.flatMap((rule) => teamsOf(rule, repo)),
  })
  const owned = matched.map((rule) => ownersOf(rule, repo, known))
  return { rules: owned, isComplete }
}

/** Undefined if the file is too large. */
async function findRules(ctx: Context, repo: Repository, base: string): Promise<OwnersRule[] | undefined> {
  const entries = await findEntries(ctx, repo.storage_id, base, PLACES)
  const entry = PLACES.map((path) => entries.get(path)).find((it) => it?.type === 'blob')
  if (entry === undefined) return []
  const blob = await findBlob(ctx, repo.storage_id, entry.oid, FILE_BYTES_MAX)
  return blob?.isWhole ? readOwners(blob.data.toString('utf8')) : undefined
}

/** Invariant: if a diff is too large to match completely, the result is incomplete, so that owners are still required. */
async function match(
  ctx: Context,
  { storage_id }: Repository,
  pull: PullRow,
  base: string,
  rules: readonly OwnersRule[],
): Promise<Matched> {
  const from = (await findMergeBase(ctx, storage_id, base, pull.head_oid)) ?? base
  const comparison = { from, to: pull.head_oid }
  const changed = await diffFiles(ctx, storage_id, comparison, { withRenames: true }).catch(unlessUnreadable)
  if (changed === undefined) return { rules: [], isComplete: false }
  const paths = changed.files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]))
  const { rules: matched, isComplete } = await matchRules(rules, paths)
  return { rules: matched, isComplete: isComplete && !changed.isTruncated }
}

function unlessUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error
}

/** Only teams of the repository's owner can have access to it. */
function teamsOf({ teams }: OwnersRule, { owner }: Repository): string[] {
  return teams.flatMap(({ organization, team }) =>
    organization.toLowerCase() === owner.login.toLowerCase() ? [team] : [],
  )
}

/** Only owners who may read the pull request can be requested. */
function ownersOf(rule: OwnersRule, repo: Repository, known: Named): Named {
  const keys = new Set(rule.people.map((name) => name.toLowerCase()))
  const teamKeys = new Set(teamsOf(rule, repo).map((name) => name.toLowerCase()))
  return {
    people: known.people.filter(
      (person) =>
        person.kind !== 'organization' &&
        person.may_read &&
        [person.login_key, ...person.keys].some((key) => keys.has(key)),
    ),
    teams: known.teams.filter(
      (team) => teamKeys.has(team.name_key) && (team.has_repository || !repo.is_private),
    ),
  }
}
