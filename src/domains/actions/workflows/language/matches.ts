/** Whether an event triggers a workflow. Pure; at most patterns times names steps. */
import { fitsOne } from './patterns.ts'
import type { Filter, Trigger } from './triggers.ts'

/** The facts about an event that filters use. */
export interface Happening {
  readonly event: string
  /** Activity type, such as `opened`. */
  readonly type: string | null
  /** The branch pushed to, or the base branch of a pull request. */
  readonly branch?: string
  readonly tag?: string
  /** For `workflow_run`: the name of the workflow. */
  readonly workflow?: string
}

/** Types that trigger a workflow without `types`; for other events all types do. */
const USUAL_TYPES: Readonly<Record<string, readonly string[]>> = {
  pull_request: ['opened', 'synchronize', 'reopened'],
  pull_request_target: ['opened', 'synchronize', 'reopened'],
}

/** Undefined if it depends on the changed paths. */
export function matches(trigger: Trigger, happening: Happening): boolean | undefined {
  if (trigger.event !== happening.event) return false
  const types = trigger.types ?? USUAL_TYPES[trigger.event]
  if (types !== undefined && happening.type !== null && !types.includes(happening.type)) return false
  if (trigger.workflows !== undefined && !fitsOne(trigger.workflows, happening.workflow ?? '')) return false
  if (!isRightRef(trigger, happening)) return false
  // Path filters do not apply to tags.
  return trigger.paths === undefined || happening.tag !== undefined ? true : undefined
}

/** For triggers that depend on paths. `paths` needs one path that matches, `paths-ignore` one that does not. */
export function matchesPaths(trigger: Trigger, paths: readonly string[]): boolean {
  const { paths: filter } = trigger
  return filter === undefined || paths.some((path) => passes(filter, path))
}

/** A filter on branches only excludes all tags, and vice versa. */
function isRightRef({ branches, tags }: Trigger, { branch, tag }: Happening): boolean {
  if (tag !== undefined) return tags === undefined ? branches === undefined : passes(tags, tag)
  if (branch === undefined) return true
  return branches === undefined ? tags === undefined : passes(branches, branch)
}

function passes({ patterns, ignores }: Filter, name: string): boolean {
  return fitsOne(patterns, name) !== ignores
}
