/** What an operation is about: the repository and the account in the proof that its `open` returned. */

export interface Target {
  readonly repository_id: number | null
  readonly owner_id: number | null
}

const DEPTH_MAX = 3
const NOTHING: Target = { repository_id: null, owner_id: null }

/**
 * Proofs have no common type, so the record is found by its columns. The nearest one counts, a repository before an
 * organization, and the caller comes last: an operation of users on others names both.
 */
export function targetOf(opened: unknown): Target {
  const found: Found[] = []
  collect(opened, 0, found)
  const [best] = found.toSorted((a, b) => a.rank - b.rank || a.depth - b.depth)
  return best?.target ?? NOTHING
}

interface Found {
  readonly rank: number
  readonly depth: number
  readonly target: Target
}

type Fields = Readonly<Record<string, unknown>>

function collect(value: unknown, depth: number, found: Found[]): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
  if (value instanceof Date || Buffer.isBuffer(value)) return
  const fields = value as Fields
  const own = read(fields)
  if (own !== undefined) found.push({ ...own, depth })
  // The account of an actor, and the owner of a repository, are known already.
  for (const [name, inner] of Object.entries(fields))
    if (name !== 'account' && !(own?.rank === 0)) collect(inner, depth + 1, found)
}

function read(fields: Fields): Omit<Found, 'depth'> | undefined {
  const { id, owner_id, repository_id, organization_id, login, kind } = fields
  if (isId(id) && isId(owner_id) && 'storage_id' in fields)
    return { rank: 0, target: { repository_id: id, owner_id } }
  if (isId(repository_id))
    return { rank: 1, target: { repository_id, owner_id: isId(owner_id) ? owner_id : null } }
  if (isId(id) && typeof login === 'string') {
    const rank = 'isAdmin' in fields ? 5 : kind === 'organization' || 'role' in fields ? 2 : 3
    return { rank, target: { repository_id: null, owner_id: id } }
  }
  if (isId(owner_id)) return { rank: 4, target: { repository_id: null, owner_id } }
  if (isId(organization_id)) return { rank: 4, target: { repository_id: null, owner_id: organization_id } }
  return undefined
}

function isId(value: unknown): value is number {
  return typeof value === 'number'
}

const VALUE_MAX = 200
/** Path parameters that are credentials. */
const SECRETS = new Set(['token', 'code'])

/** Path parameters as JSON, each cut to a bound. */
export function paramsText(params: unknown): string {
  const texts = Object.entries((params ?? {}) as Fields).map(([name, value]) => [
    name,
    SECRETS.has(name)
      ? '[hidden]'
      : String(value).toWellFormed().replaceAll('\0', '').slice(0, VALUE_MAX).toWellFormed(),
  ])
  return JSON.stringify(Object.fromEntries(texts))
}
