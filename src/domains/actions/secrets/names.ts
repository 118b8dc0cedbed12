/** What secrets and variables may be called. Names are compared, and known to jobs, in upper case. */
import { Problem } from '#platform/problem'

const NAME = /^[A-Z_][A-Z0-9_]*$/
/** What the forge or the runner says itself. */
const RESERVED = /^(GITEA_|GITHUB_|CI$)/

export const NAME_LENGTH_MAX = 255

export function nameOf(text: string): string {
  return text.toUpperCase()
}

export function assertName(text: string): string {
  const name = nameOf(text)
  if (!NAME.test(name) || RESERVED.test(name) || name.length > NAME_LENGTH_MAX)
    throw new Problem('malformed', 'invalid variable or secret name')
  return name
}
