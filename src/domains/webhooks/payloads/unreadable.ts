/** What to tell of objects that are gone, or that git cannot read: asking for them again would change nothing. */
import { isBeyondGit } from '#git'
import { Problem } from '#platform/problem'

/** What is told instead; other failures stay what they are. */
export function orElse<T>(tell: () => T): (error: unknown) => T {
  return (error) => {
    if (isBeyondGit(error) || (error instanceof Problem && error.kind === 'not_found')) return tell()
    throw error
  }
}
