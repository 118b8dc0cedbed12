/** The default message of a merge commit. Pure. */
import type { Reference } from '#domains/instance/markup'
import type { CommitRecord, Person } from '#git'
import type { OwnStyle } from '../tables.ts'

interface End {
  /** Empty if the repository is deleted or hidden from the merger. */
  readonly owner: string
  readonly name: string
  readonly branch: string
}

export interface PullFacts {
  readonly title: string
  readonly description: string
  readonly number: number
  readonly address: string
  readonly base: End
  readonly head: End
  /** Base and head are in the same repository. */
  readonly isOwn: boolean
  readonly poster: string
  /** Issues that the merge closes. */
  readonly closing: readonly Reference[]
}

const SUBJECT_BYTES_MAX = 500
/** Git allows longer messages; no reader wants them. */
const TEXT_BYTES_MAX = 60_000

/** Compat: the exact wording, because people and tools search histories for it. */
export function titleOf(style: OwnStyle, facts: PullFacts): string {
  const { title, number, base, head, isOwn } = facts
  if (style === 'squash') return `${title} (#${number})`
  const from = isOwn || head.name === '' ? head.branch : `${head.owner}/${head.name}:${head.branch}`
  return `Merge pull request '${title}' (#${number}) from ${from} into ${base.branch}`
}

/** Body of a squash commit: the subject of each commit, oldest first; of a single commit, its whole body. */
export function bodyOf(commits: readonly CommitRecord[]): string {
  const [only] = commits
  if (commits.length === 1 && only !== undefined) return only.message.split('\n').slice(1).join('\n').trim()
  return commits.map(({ message }) => `* ${subjectOf(message)}`).join('\n')
}

function subjectOf(message: string): string {
  return cut(message.split('\n', 1)[0] ?? '', SUBJECT_BYTES_MAX)
}

/** Authors of the commits, except those the commit or its body names already. */
export function coAuthorsOf(
  commits: readonly CommitRecord[],
  people: { readonly author: Person; readonly committer: Person },
  body: string,
): string {
  const keyOf = ({ email }: Person) => email.toLowerCase()
  const known = new Set([keyOf(people.author), keyOf(people.committer)])
  const others = new Map(commits.map(({ author }) => [keyOf(author), author]))
  return [...others]
    .filter(([key, { email }]) => !known.has(key) && !body.includes(`<${email}>`))
    .map(([, { name, email }]) => `Co-authored-by: ${name} <${email}>`)
    .join('\n')
}

/** The title and the non-empty texts, as paragraphs. */
export function joined(title: string, ...texts: readonly (string | undefined)[]): string {
  const line = title.replaceAll(/\s*\n\s*/g, ' ')
  const whole = [line, ...texts.map((text) => text?.trim() ?? '')].filter((text) => text !== '').join('\n\n')
  return cut(whole, TEXT_BYTES_MAX)
}

/** At most `bytesMax` bytes of UTF-8 (git stores and limits bytes), never splitting a character. */
function cut(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  let end = Math.min(bytes.length, bytesMax)
  while (end < bytes.length && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1
  return bytes.toString('utf8', 0, end)
}
