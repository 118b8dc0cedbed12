/** What to tell of objects that are gone, or that git cannot read: asking for them again would change nothing. */
import { isUnreadable } from '#git'

/** What is told instead; other failures stay what they are. */
export function orElse<T>(tell: () => T): (error: unknown) => T {
  return (error) => {
    if (isUnreadable(error)) return tell()
    throw error
  }
}
