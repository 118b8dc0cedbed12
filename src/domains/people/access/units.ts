/** The words every decision is made of: the units of a repository and the levels of access to them. */
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

/** From least to most. */
export const LEVELS = ['none', 'read', 'write', 'admin', 'owner'] as const
export type Level = (typeof LEVELS)[number]

const RANK: Readonly<Record<Level, number>> = { none: 0, read: 1, write: 2, admin: 3, owner: 4 }

/** A word that is no level has no rank, and compares as false on either side. */
export function atLeast(level: Level, wanted: Level): boolean {
  return RANK[level] >= RANK[wanted]
}

export function highest(levels: readonly Level[]): Level {
  return levels.reduce<Level>((most, level) => (atLeast(level, most) ? level : most), 'none')
}

/** The most that anybody can have: an external tracker or wiki is a link, which can only be followed. */
export function strongestLevel(unit: Unit): Level {
  return unit === 'ext_issues' || unit === 'ext_wiki' ? 'read' : 'owner'
}
