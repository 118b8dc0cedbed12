/** Validates repository names. */
import { invalid } from '#platform/problem'

export const REPOSITORY_NAME_MAX = 100
const NAME = /^[\w.-]+$/
const RESERVED = new Set(['.', '..', '-'])
const RESERVED_ENDINGS = ['.wiki', '.git', '.rss', '.atom']

export function assertRepositoryName(name: string): void {
  const key = name.toLowerCase()
  if (RESERVED.has(name)) throw invalid('name is reserved', { name })
  if (name.length > REPOSITORY_NAME_MAX || !NAME.test(name) || name.includes('..'))
    throw invalid('name is invalid', { name })
  if (RESERVED_ENDINGS.some((ending) => key.endsWith(ending)))
    throw invalid('name has a reserved suffix', { name })
}
