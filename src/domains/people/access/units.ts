/** The units of a repository and the levels of access to them. */
export const UNITS = [
  'code',
  'issues',
  'pulls',
  'releases',
  'wiki',
  'projects',
  'packages',
  'actions',
  'ext_issues',
  'ext_wiki',
] as const
export type Unit = (typeof UNITS)[number]

/** In ascending order. */
export const LEVELS = ['none', 'read', 'write', 'admin', 'owner'] as const
export type Level = (typeof LEVELS)[number]

const RANK: Readonly<Record<Level, number>> = { none: 0, read: 1, write: 2, admin: 3, owner: 4 }

/** An unknown level has no rank, and compares as false on either side. */
export function atLeast(level: Level, wanted: Level): boolean {
  return RANK[level] >= RANK[wanted]
}

export function highest(levels: readonly Level[]): Level {
  return levels.reduce<Level>((most, level) => (atLeast(level, most) ? level : most), 'none')
}

export function lowest(a: Level, b: Level): Level {
  return atLeast(a, b) ? b : a
}

/** The maximum level of a unit: an external tracker or wiki is a link, which can only be read. */
export function strongestLevel(unit: Unit): Level {
  return unit === 'ext_issues' || unit === 'ext_wiki' ? 'read' : 'owner'
}
