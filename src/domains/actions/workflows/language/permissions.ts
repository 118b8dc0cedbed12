/** `permissions` of a job's token, as access levels on the units of a repository. Pure. */
import { WorkflowProblem } from '../limits.ts'
import { factsOf } from './values.ts'

type Level = 'none' | 'read' | 'write'
export type UnitLevels = Readonly<Record<(typeof UNITS)[number], Level>>

const UNITS = ['code', 'issues', 'pulls', 'releases', 'wiki', 'projects', 'packages', 'actions'] as const

/** Scopes of workflows and the repository units they map to. Scopes without a unit have no effect. */
const SCOPES: Readonly<Record<string, readonly (typeof UNITS)[number][]>> = {
  actions: ['actions'],
  contents: ['code', 'releases', 'wiki'],
  code: ['code'],
  releases: ['releases'],
  wiki: ['wiki'],
  issues: ['issues'],
  'pull-requests': ['pulls'],
  packages: ['packages'],
  projects: ['projects'],
  'repository-projects': ['projects'],
}
const LEVELS: readonly unknown[] = ['none', 'read', 'write']

/** `permissions` of the job override those of the workflow. Runs from forks are limited to reading. */
export function permissionsOf(ofWorkflow: unknown, ofJob: unknown, onlyReads: boolean): UnitLevels {
  const asked = levelsOf(ofJob ?? ofWorkflow)
  return onlyReads ? each((unit) => (asked[unit] === 'write' ? 'read' : asked[unit])) : asked
}

/** Default: write on all units except `actions`, which is read. */
function levelsOf(value: unknown): UnitLevels {
  if (value === undefined) return each((unit) => (unit === 'actions' ? 'read' : 'write'))
  if (value === 'read-all') return each(() => 'read')
  if (value === 'write-all') return each(() => 'write')
  const levels: Partial<Record<(typeof UNITS)[number], Level>> = {}
  for (const [scope, level] of Object.entries(factsOf(value, 'permissions'))) {
    if (!LEVELS.includes(level))
      throw new WorkflowProblem(`permission "${scope}" is none of none, read and write`)
    for (const unit of Object.hasOwn(SCOPES, scope) ? (SCOPES[scope] ?? []) : [])
      levels[unit] = level as Level
  }
  return each((unit) => levels[unit] ?? 'none')
}

function each(level: (unit: (typeof UNITS)[number]) => Level): UnitLevels {
  return Object.fromEntries(UNITS.map((unit) => [unit, level(unit)])) as UnitLevels
}
