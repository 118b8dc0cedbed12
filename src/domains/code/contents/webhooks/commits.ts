/** Commits in webhook payloads. */
import type { Repository } from '#domains/code/repositories'
import { findCommit, isUnreadable, type LoggedCommit, localTime, type Person } from '#git'
import type { Context } from '#platform/context'
import { findPeople } from '../commits/people.ts'

const PATHS_MAX = 1_000
const PATHS_CHARS_MAX = 128 * 1024

/** Without its files; null when the commit is gone or unreadable. */
export async function presentHookCommit(ctx: Context, repo: Repository, oid: string) {
  const found = await findCommit(ctx, repo.storage_id, oid).catch(unlessUnreadable(() => undefined))
  if (found === undefined) return null
  const bare = { ...found, stats: null, files: null, isFilesTruncated: false }
  const [commit = null] = await presentHookCommits(ctx, [bare], addressOf(ctx, repo))
  return commit
}

export function addressOf(ctx: Context, { owner, name }: Repository): string {
  return `${ctx.site.url}/${owner.login}/${name}`
}

/** A fallback for objects that are gone or unreadable, for which a retry is useless. */
export function unlessUnreadable<T>(tell: () => T): (error: unknown) => T {
  return (error) => {
    if (isUnreadable(error)) return tell()
    throw error
  }
}

export async function presentHookCommits(
  ctx: Context,
  commits: readonly LoggedCommit[],
  repositoryUrl: string,
) {
  const emails = commits.flatMap(({ author, committer }) => [author.email, committer.email])
  const people = await findPeople(ctx, emails)
  const present = (person: Person) => ({
    name: person.name,
    email: person.email,
    username: people(person.email)?.login ?? '',
  })
  return commits.map((commit) => ({
    id: commit.oid,
    message: commit.message,
    url: `${repositoryUrl}/commit/${commit.oid}`,
    author: present(commit.author),
    committer: present(commit.committer),
    // Compat: signatures are not verified here.
    verification: null,
    timestamp: localTime(commit.author),
    ...changesOf(commit),
  }))
}

/** Compat: a renamed file counts as one added and one removed file. */
function changesOf({ files }: LoggedCommit) {
  const all = files ?? []
  const paths = (...statuses: string[]) =>
    all.filter(({ status }) => statuses.includes(status)).map(({ path }) => path)
  const moved = all.flatMap(({ status, oldPath }) => (status === 'renamed' && oldPath ? [oldPath] : []))
  return {
    added: bounded(paths('added', 'renamed', 'copied')),
    removed: bounded([...paths('deleted'), ...moved]),
    modified: bounded(paths('modified')),
  }
}

/** Bounds the paths of a commit in a payload. */
function bounded(paths: readonly string[]): string[] {
  const kept: string[] = []
  let chars = 0
  for (const path of paths) {
    chars += path.length
    if (kept.length === PATHS_MAX || chars > PATHS_CHARS_MAX) break
    kept.push(path)
  }
  return kept
}
