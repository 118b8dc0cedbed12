/** Commits as receivers are told of them. */
import { type LoggedCommit, localTime, type Person } from '#git'
import type { Context } from '#platform/context'
import { PATHS_CHARS_MAX, PATHS_MAX } from '../limits.ts'

export async function presentCommits(ctx: Context, commits: readonly LoggedCommit[], repositoryUrl: string) {
  const people = commits.flatMap(({ author, committer }) => [author.email, committer.email])
  const logins = await findLogins(ctx, people)
  const present = (person: Person) => ({
    name: person.name,
    email: person.email,
    username: logins.get(person.email.toLowerCase()) ?? '',
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

/** Names of accounts by their confirmed addresses, or by those that stand for a hidden one. */
async function findLogins(ctx: Context, emails: readonly string[]): Promise<Map<string, string>> {
  const keys = [...new Set(emails.map((email) => email.toLowerCase()))]
  const ids = keys.flatMap((key) => hiddenId(ctx, key) ?? [])
  if (keys.length === 0) return new Map()
  const known = await ctx.db
    .selectFrom('account_email')
    .innerJoin('account', 'account.id', 'account_email.account_id')
    .select(['account_email.email_key', 'account.login'])
    .where('account_email.email_key', 'in', keys)
    .where('account_email.is_verified', '=', true)
    .execute()
  const hidden = await ctx.db
    .selectFrom('account')
    .select(['id', 'login'])
    .where('id', 'in', [0, ...ids])
    .execute()
  const byId = new Map(hidden.map(({ id, login }) => [id, login]))
  const entries = keys.flatMap((key) => {
    const login = byId.get(hiddenId(ctx, key) ?? 0)
    return login === undefined ? [] : [[key, login] as const]
  })
  return new Map([...known.map((row) => [row.email_key, row.login] as const), ...entries])
}

function hiddenId(ctx: Context, key: string): number | undefined {
  const [, id, domain] = /^(\d{1,15})\+[^@]*@(.*)$/.exec(key) ?? []
  return domain === ctx.site.noreplyDomain ? Number(id) : undefined
}
