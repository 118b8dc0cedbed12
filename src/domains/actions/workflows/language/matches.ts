/** Whether an event starts a workflow. Pure, and as long as its patterns times its names at most. */
import { fitsOne } from './patterns.ts'
import type { Filter, Trigger } from './triggers.ts'

/** What is known of something that happened. */
export interface Happening {
  readonly event: string
  /** Its activity type, such as `opened`. */
  readonly type: string | null
  /** The branch it is about: pushed to, or that a pull request wants to go to. */
  readonly branch?: string
  readonly tag?: string
  /** Of `workflow_run`: the name of the workflow. */
  readonly workflow?: string
}

/** What is meant where no types are said; of other events, all of them. */
const USUAL_TYPES: Readonly<Record<string, readonly string[]>> = {
  pull_request: ['opened', 'synchronize', 'reopened'],
  pull_request_target: ['opened', 'synchronize', 'reopened'],
}

/** Undefined: it depends on which paths were changed. */
export function matches(trigger: Trigger, happening: Happening): boolean | undefined {
  if (trigger.event !== happening.event) return false
  const types = trigger.types ?? USUAL_TYPES[trigger.event]
  if (types !== undefined && happening.type !== null && !types.includes(happening.type)) return false
  if (trigger.workflows !== undefined && !fitsOne(trigger.workflows, happening.workflow ?? '')) return false
  if (!isRightRef(trigger, happening)) return false
  // Tags are not held against paths.
  return trigger.paths === undefined || happening.tag !== undefined ? true : undefined
}

/** For one that depends on them. A list of what fits wants one that does; one of what does not, one that is left. */
export function matchesPaths(trigger: Trigger, paths: readonly string[]): boolean {
  const { paths: filter } = trigger
  return filter === undefined || paths.some((path) => passes(filter, path))
}

/** Whoever limits branches only wants no tags, and the other way round. */
function isRightRef({ branches, tags }: Trigger, { branch, tag }: Happening): boolean {
  if (tag !== undefined) return tags === undefined ? branches === undefined : passes(tags, tag)
  if (branch === undefined) return true
  return branches === undefined ? tags === undefined : passes(branches, branch)
}

function passes({ patterns, ignores }: Filter, name: string): boolean {
  return fitsOne(patterns, name) !== ignores
}
