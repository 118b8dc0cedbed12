/** What a merge commit says when nobody says anything else. Pure. */
import type { Reference } from '#domains/instance/markup'
import type { CommitRecord, Person } from '#git'
import type { OwnStyle } from '../tables.ts'

interface End {
  /** Empty where it is gone, or not to be named. */
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
  /** Both ends are of one repository. */
  readonly isOwn: boolean
  readonly poster: string
  /** What it closes when it lands. */
  readonly closing: readonly Reference[]
}

const SUBJECT_BYTES_MAX = 500
/** Git takes more, but nobody reads that. */
const TEXT_BYTES_MAX = 60_000

/** Compat: word for word, because people and tools look for it in histories. */
export function titleOf(style: OwnStyle, facts: PullFacts): string {
  const { title, number, base, head, isOwn } = facts
  if (style === 'squash') return `${title} (#${number})`
  const from = isOwn || head.name === '' ? head.branch : `${head.owner}/${head.name}:${head.branch}`
  return `Merge pull request '${title}' (#${number}) from ${from} into ${base.branch}`
}

/** What was squashed: the subject of each commit, the oldest first. One alone is told with all it says. */
export function bodyOf(commits: readonly CommitRecord[]): string {
  const [only] = commits
  if (commits.length === 1 && only !== undefined) return only.message.split('\n').slice(1).join('\n').trim()
  return commits.map(({ message }) => `* ${subjectOf(message)}`).join('\n')
}

function subjectOf(message: string): string {
  return cut(message.split('\n', 1)[0] ?? '', SUBJECT_BYTES_MAX)
}

/** Everybody whose work is in it, but those whom the commit names already. */
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

/** A title, and what is not empty of the rest, each as a paragraph. */
export function joined(title: string, ...texts: readonly (string | undefined)[]): string {
  const line = title.replaceAll(/\s*\n\s*/g, ' ')
  const whole = [line, ...texts.map((text) => text?.trim() ?? '')].filter((text) => text !== '').join('\n\n')
  return cut(whole, TEXT_BYTES_MAX)
}

/** At most so many bytes of UTF-8, which is what git stores and bounds; never a part of a character. */
function cut(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  let end = Math.min(bytes.length, bytesMax)
  while (end < bytes.length && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1
  return bytes.toString('utf8', 0, end)
}
