/** REST records of branches. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import type { ShownProtection } from '#domains/code/protections'
import type { Repository } from '#domains/code/repositories'
import { type CommitRecord, localTime, type Person } from '#git'
import type { Site } from '#platform/site'
import {
  addressesOf,
  type CommitParts,
  PayloadUser,
  presentVerdict,
  Verification,
} from '../commits/commit-wire.ts'
import type { People } from '../commits/people.ts'

export const PayloadCommit = Type.Object(
  {
    id: Type.String(),
    message: Type.String(),
    url: Type.String(),
    author: PayloadUser,
    committer: PayloadUser,
    verification: Type.Union([Verification, Type.Null()]),
    timestamp: Type.String({ format: 'date-time' }),
    added: Type.Array(Type.String()),
    removed: Type.Array(Type.String()),
    modified: Type.Array(Type.String()),
  },
  { title: 'PayloadCommit' },
)

export type Branch = Static<typeof Branch>
export const Branch = Type.Object(
  {
    name: Type.String(),
    commit: PayloadCommit,
    protected: Type.Boolean(),
    required_approvals: Type.Integer(),
    enable_status_check: Type.Boolean(),
    status_check_contexts: Type.Array(Type.String()),
    user_can_push: Type.Boolean(),
    user_can_merge: Type.Boolean(),
    effective_branch_protection_name: Type.String(),
  },
  { title: 'Branch' },
)

/** A branch with its tip and protection. */
export interface LoadedBranch {
  readonly name: string
  readonly commit: CommitRecord
  readonly protection: ShownProtection
}

export function presentBranch(
  { name, commit, protection }: LoadedBranch,
  parts: CommitParts,
  repo: Repository,
  site: Site,
): Branch {
  return { name, commit: presentPayloadCommit(commit, parts, repo, site), ...protection }
}

/** Compat: the changed files are only in push payloads. */
export function presentPayloadCommit(
  commit: CommitRecord,
  { people, verdicts }: CommitParts,
  repo: Repository,
  site: Site,
): Static<typeof PayloadCommit> {
  const verdict = verdicts?.get(commit.oid)
  return {
    id: commit.oid,
    message: commit.message,
    url: `${addressesOf(repo, site).html}/commit/${commit.oid}`,
    author: presentAuthor(commit.author, people),
    committer: presentAuthor(commit.committer, people),
    verification: verdict === undefined ? null : presentVerdict(verdict),
    timestamp: localTime(commit.author),
    added: [],
    removed: [],
    modified: [],
  }
}

function presentAuthor({ name, email }: Person, people: People): Static<typeof PayloadUser> {
  return { name, email, username: people(email)?.login ?? '' }
}
