/**
 * Heads of pull requests as a small model: the branch of a fork, its pull requests, their requested merges, and what
 * workers have read. A commit is a letter; the branch only ever moves to the next one.
 */

export type Person = 'ann' | 'eve'

export interface Pull {
  head: string
  /** The recorded pusher of the head. */
  pusher: Person | 'nobody'
  isOpen: boolean
  /** The merged head; empty before. */
  landed: string
  /** The head that is scheduled or queued; empty when none is. */
  order: string
}

/** Pull requests that are behind, and the push that left them there; `tip` is empty when one was reopened. */
export interface Job {
  readonly id: number
  readonly pulls: readonly number[]
  readonly tip: string
  readonly pusher: Person | 'nobody'
}

export interface Worker {
  kind: '' | 'land' | 'catch up'
  pull: number
  /** The head to land, or the tip that heads are moved to. */
  oid: string
  job: Job | null
}

export interface State {
  tip: string
  /** By commit. */
  pushers: Record<string, Person>
  pulls: Pull[]
  jobs: Job[]
  /** How many there ever were. */
  ordered: number
  /** What a node has still to add to the queue: lost when it dies. */
  memory: Job[]
  /** The head for which a merge was last requested, by pull request. */
  asked: Record<number, string>
  /** Heads whose checks succeeded. */
  passed: string[]
  workers: Worker[]
  /** A fault seen at a merge; must stay empty. */
  wrong: string
  left: { push: number; close: number; ask: number; die: number }
}

export const MUTATIONS = [
  'an order keeps no commit',
  'a push leaves orders as they are',
  'one that is behind its branch lands',
  'an order is not looked at again when it lands',
  'who reopens counts as the pusher',
  'a job names its pusher for whatever the branch is by then',
  'the rest of a push is ordered after its transaction',
  'reopening orders nothing',
  'the tip is not read again under the lock',
  'a job is gone before its heads have moved',
] as const
export type Mutation = (typeof MUTATIONS)[number]

export const IDLE: Worker = { kind: '', pull: 0, oid: '', job: null }

export function start(pulls: number, workers: number, left: State['left']): State {
  const pull: Pull = { head: 'a', pusher: 'eve', isOpen: true, landed: '', order: '' }
  return {
    tip: 'a',
    pushers: { a: 'eve' },
    pulls: Array.from({ length: pulls }, () => ({ ...pull })),
    jobs: [],
    ordered: 0,
    memory: [],
    asked: {},
    passed: [],
    workers: Array.from({ length: workers }, () => ({ ...IDLE })),
    wrong: '',
    left,
  }
}

/** The fault of a state, if any. */
export function findFault({ tip, pushers, pulls, jobs, memory, workers, wrong }: State): string | undefined {
  if (wrong !== '') return wrong
  if (pulls.some(({ head, pusher }) => pusher !== 'nobody' && pushers[head] !== pusher))
    return 'somebody counts as the pusher of what another pushed'
  if (pulls.some(({ order, head }) => order !== '' && order !== head))
    return 'an order outlives the head that it names'
  const isQuiet = jobs.length + memory.length === 0 && workers.every(({ kind }) => kind !== 'catch up')
  if (isQuiet && pulls.some(({ isOpen, head }) => isOpen && head !== tip))
    return 'a head stays behind its branch'
  return undefined
}

/** Workers are interchangeable, and so are jobs: their order does not matter. */
export function canonical(state: State): string {
  state.passed.sort()
  for (const list of [state.workers, state.jobs, state.memory])
    list.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  return JSON.stringify(state)
}
