/** Parses a push to `refs/for/…` and its push options. Pure: no database, no git. */
export const FOR = 'refs/for/'
export const DRAFT = 'refs/draft/'
export const FOR_REVIEW = 'refs/for-review/'

export interface AgitOptions {
  readonly topic: string
  readonly title: string
  readonly description: string
  readonly isForced: boolean
}

const TRUE = new Set(['', '1', 't', 'true'])
/** Compat: multi-line values are sent in base64. */
const BASE64 = /^\{base64\}/

/** The last of repeated options counts; unknown options are ignored. */
export function optionsOf(given: readonly string[]): AgitOptions {
  const options = new Map(
    given.map((option) => {
      const equals = option.indexOf('=')
      return equals === -1
        ? ([option.trim(), ''] as const)
        : ([option.slice(0, equals).trim(), option.slice(equals + 1)] as const)
    }),
  )
  const text = (name: string) => decode(options.get(name) ?? '')
  const forced = options.get('force-push')
  return {
    topic: text('topic').trim(),
    title: text('title').trim(),
    description: text('description'),
    isForced: forced !== undefined && TRUE.has(forced.trim().toLowerCase()),
  }
}

function decode(text: string): string {
  return BASE64.test(text) ? Buffer.from(text.replace(BASE64, ''), 'base64').toString('utf8') : text
}

/** Every way to split into branch and topic, longest branch name first. */
export function splitsOf(rest: string): readonly { readonly base: string; readonly topic: string }[] {
  const parts = rest.split('/')
  return parts
    .map((_, i) => ({ base: parts.slice(0, i + 1).join('/'), topic: parts.slice(i + 1).join('/') }))
    .toReversed()
}

/** The number in `refs/for-review/{number}`. */
export function numberOf(name: string): number | undefined {
  const [, digits] = /^refs\/for-review\/(\d{1,15})$/.exec(name) ?? []
  return digits === undefined ? undefined : Number(digits)
}
