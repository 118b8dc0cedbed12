/** REST records of commits. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import type { Repository } from '#domains/code/repositories'
import { presentUser, User } from '#domains/people/users'
import { type ChangedFile, type LoggedCommit, localTime, type Person } from '#git'
import { Time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { Verdict } from '../signatures/verification.ts'
import type { People } from './people.ts'

const MaybeTime = Type.Union([Time, Type.Null()])
const MaybeUser = Type.Union([User, Type.Null()])

export const CommitUser = Type.Object(
  { name: Type.String(), email: Type.String(), date: Type.String() },
  { title: 'CommitUser' },
)
export const CommitMeta = Type.Object(
  { url: Type.String(), sha: Type.String(), created: MaybeTime },
  { title: 'CommitMeta' },
)
export const PayloadUser = Type.Object(
  { name: Type.String(), email: Type.String(), username: Type.String() },
  { title: 'PayloadUser' },
)
export type Verification = Static<typeof Verification>
export const Verification = Type.Object(
  {
    verified: Type.Boolean(),
    reason: Type.String(),
    signature: Type.String(),
    signer: Type.Union([PayloadUser, Type.Null()]),
    payload: Type.String(),
  },
  { title: 'PayloadCommitVerification' },
)
const RepoCommit = Type.Object(
  {
    url: Type.String(),
    author: CommitUser,
    committer: CommitUser,
    message: Type.String(),
    tree: CommitMeta,
    verification: Type.Union([Verification, Type.Null()]),
  },
  { title: 'RepoCommit' },
)
const CommitAffectedFiles = Type.Object(
  {
    filename: Type.String(),
    status: Type.Union([Type.Literal('added'), Type.Literal('modified'), Type.Literal('deleted')]),
  },
  { title: 'CommitAffectedFiles' },
)
const CommitStats = Type.Object(
  { total: Type.Integer(), additions: Type.Integer(), deletions: Type.Integer() },
  { title: 'CommitStats' },
)

export type Commit = Static<typeof Commit>
export const Commit = Type.Object(
  {
    url: Type.String(),
    sha: Type.String(),
    created: Time,
    html_url: Type.String(),
    commit: RepoCommit,
    author: MaybeUser,
    committer: MaybeUser,
    parents: Type.Array(CommitMeta),
    files: Type.Union([Type.Array(CommitAffectedFiles), Type.Null()]),
    stats: Type.Union([CommitStats, Type.Null()]),
  },
  { title: 'Commit' },
)

/** Accounts and signature verdicts for a page of commits. */
export interface CommitParts {
  readonly people: People
  /** null: not requested. */
  readonly verdicts: ReadonlyMap<string, Verdict> | null
}

/** The URLs of a repository in the API and in the web UI. */
export function addressesOf(repo: Repository, site: Site): { api: string; html: string } {
  const path = `${repo.owner.login}/${repo.name}`
  return { api: `${site.apiUrl}/repos/${path}`, html: `${site.url}/${path}` }
}

export function presentCommit(
  commit: LoggedCommit,
  parts: CommitParts,
  repo: Repository,
  site: Site,
): Commit {
  const { api, html } = addressesOf(repo, site)
  const { oid, author, committer, stats, files } = commit
  const created = localTime(committer)
  const url = `${api}/git/commits/${oid}`
  const verdict = parts.verdicts?.get(oid)
  return {
    url,
    sha: oid,
    created,
    html_url: `${html}/commit/${oid}`,
    commit: {
      url,
      author: presentPerson(author),
      committer: presentPerson(committer),
      message: commit.message,
      // Compat: `sha` of the tree is the id of the commit.
      tree: { url: `${api}/git/trees/${oid}`, sha: oid, created },
      verification: verdict === undefined ? null : presentVerdict(verdict),
    },
    author: presentAccount(parts.people, author, site),
    committer: presentAccount(parts.people, committer, site),
    parents: commit.parents.map((sha) => ({ url: `${api}/git/commits/${sha}`, sha, created: null })),
    files: files === null ? null : files.flatMap(presentFile),
    stats: stats && {
      total: stats.additions + stats.deletions,
      additions: stats.additions,
      deletions: stats.deletions,
    },
  }
}

export function presentPerson(person: Person): Static<typeof CommitUser> {
  return { name: person.name, email: person.email, date: localTime(person) }
}

/** Compat: users in commits are presented as to an anonymous caller. */
function presentAccount(people: People, { email }: Person, site: Site): User | null {
  const account = people(email)
  return account === undefined ? null : presentUser(account, null, site)
}

export function presentVerdict({ isVerified, reason, signature, signer, email }: Verdict): Verification {
  return {
    verified: isVerified,
    reason,
    signature: signature?.text ?? '',
    signer: signer && { name: signer.full_name, email, username: signer.login },
    payload: signature?.payload.toString('utf8') ?? '',
  }
}

/** Compat: a renamed file counts as one added and one deleted file. */
function presentFile({ path, oldPath, status }: ChangedFile): Static<typeof CommitAffectedFiles>[] {
  if (status === 'copied') return [{ filename: path, status: 'added' }]
  if (status !== 'renamed') return [{ filename: path, status }]
  return [
    { filename: path, status: 'added' },
    { filename: oldPath ?? path, status: 'deleted' },
  ]
}
