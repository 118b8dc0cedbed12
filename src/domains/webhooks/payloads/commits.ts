/** Commits as receivers are told of them. */
import { findPeople } from '#domains/contents'
import { type LoggedCommit, localTime, type Person } from '#git'
import type { Context } from '#platform/context'
import { PATHS_CHARS_MAX, PATHS_MAX } from '../limits.ts'

export async function presentCommits(ctx: Context, commits: readonly LoggedCommit[], repositoryUrl: string) {
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
    // Compat: signatures are not judged here.
    verification: null,
    timestamp: localTime(commit.author),
    ...changesOf(commit),
  }))
}

/** Compat: a file that moved counts as one that came and one that went. */
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

/** A commit may touch everything there is; a payload has room for so much. */
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
