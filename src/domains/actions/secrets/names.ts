/** Valid names of secrets and variables. Names are stored, compared and passed to jobs in upper case. */
import { Problem } from '#platform/problem'

const NAME = /^[A-Z_][A-Z0-9_]*$/
/** Set by the forge or the runner. */
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
