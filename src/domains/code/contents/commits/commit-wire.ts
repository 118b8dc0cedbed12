/** REST records of commits. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import type { Repository } from '#domains/code/repositories'
import { type Account, presentUser, User } from '#domains/people/users'
import { type ChangedFile, type LoggedCommit, localTime, type Person } from '#git'
import { must } from '#platform/must'
import { presentOnce, Time } from '#platform/rest'
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

export function presentCommits(
  commits: readonly LoggedCommit[],
  parts: CommitParts,
  repo: Repository,
  site: Site,
): Commit[] {
  // Compat: users in commits are presented as to an anonymous caller.
  const userOf = presentOnce((account: Account) => presentUser(account, null, site))
  const around = { ...parts, ...addressesOf(repo, site), userOf }
  return commits.map((commit) => present(commit, around))
}

export function presentCommit(
  commit: LoggedCommit,
  parts: CommitParts,
  repo: Repository,
  site: Site,
): Commit {
  const [shown] = presentCommits([commit], parts, repo, site)
  return must(shown, 'each commit is shown')
}

interface Around extends CommitParts {
  readonly api: string
  readonly html: string
  readonly userOf: (account: Account) => User
}

function present(commit: LoggedCommit, { people, verdicts, api, html, userOf }: Around): Commit {
  const { oid, author, committer, stats, files } = commit
  const created = localTime(committer)
  const url = `${api}/git/commits/${oid}`
  const verdict = verdicts?.get(oid)
  const account = ({ email }: Person) => {
    const found = people(email)
    return found === undefined ? null : userOf(found)
  }
  return {
    url,
    sha: oid,
    created,
    html_url: `${html}/commit/${oid}`,
    commit: {
      url,
      author: presentPerson(author),
      committer: { name: committer.name, email: committer.email, date: created },
      message: commit.message,
      // Compat: `sha` of the tree is the id of the commit.
      tree: { url: `${api}/git/trees/${oid}`, sha: oid, created },
      verification: verdict === undefined ? null : presentVerdict(verdict),
    },
    author: account(author),
    committer: account(committer),
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
