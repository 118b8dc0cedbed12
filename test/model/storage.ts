/**
 * Git storage as a small model: what PostgreSQL holds, what the object store holds, what a cache has read, and every step
 * that changes them. A step is atomic: a transaction, one request to the store, one read.
 *
 * There are no clocks here. Whatever the code does after a day may happen at any moment: clocks decide when, never
 * whether. Steps are named like the functions of src/git that implement them.
 */

/** Commits, and what each needs. `b` was dropped from its branch and is about to become garbage. */
const NEEDS: Readonly<Record<string, string>> = { a: 'a', b: 'ab', c: 'abc' }

export interface Storage {
  refs: Record<string, string>
  /** By pack: the generation it retired with; 0 while it is live. */
  names: Record<number, number>
  generation: number
  stamp: number
  released: number
  /** 1: can be restored; 2: is being swept. */
  deleted: 0 | 1 | 2
}

export interface Pack {
  readonly content: string
  readonly isGarbage: boolean
  /** The key of its bytes. */
  readonly key: string
  isUnnamed: boolean
}

/** What PostgreSQL holds, and loses the end of in a failover. */
export interface Truth {
  storages: Storage[]
  packs: Record<number, Pack>
  doomed: Record<number, string>
  pushes: string[]
  /** Stamps of the generations that the first storage has had. */
  history: number[]
}

export interface Basis {
  generation: number
  stamp: number
}

export interface Pusher {
  readonly ref: string
  readonly tip: string
  /** A ref of the storage whose objects are left out: commits of a fork are copied for the head of a pull request. */
  readonly known?: string
  at: 'outside' | 'leased' | 'announced' | 'uploaded' | 'committed' | 'told ok' | 'told no' | 'dead'
  basis: Basis | null
  content: string
  pack: number
  /** The key of its bytes. */
  key: string
}

export interface Carer {
  at: 'idle' | 'collecting' | 'published' | 'walked'
  stamp: number
  tips: readonly string[]
  packs: readonly number[]
  add: readonly number[]
}

export interface State {
  truth: Truth
  /** PostgreSQL's state as a standby has it. */
  saved: Truth | null
  bytes: string[]
  cache: { stamp: number; generation: number; refs: Record<string, string> } | null
  pushers: Pusher[]
  carer: Carer
  /** What the sweeper has checked; only a faulty one remembers anything between two steps. */
  looked: number
  halfFork: number[] | null
  hasFailedOver: boolean
  /** How often each event may still happen. */
  left: Record<Bounded, number>
}

/** Events that cannot be relied on, or would go on for ever. */
type Bounded =
  | 'crash'
  | 'loss'
  | 'collect'
  | 'expire'
  | 'release'
  | 'doom'
  | 'fork'
  | 'delete'
  | 'undelete'
  | 'failover'
  | 'read'
  | 'drop'

/** Known mistakes. Each must be detected. */
export const MUTATIONS = [
  'a tip in no pack is committed',
  'a pack is named though its announcement was swept',
  'garbage is not taken back by a push that was in flight',
  'a push does not ask what was released since it looked',
  'a push does not ask whether a failover has lost what it saw',
  'garbage expires though refs have moved since the walk',
  'garbage expires without a walk',
  'a collection leaves out what refs do not reach',
  'a key is used again for the same content',
  'a pack is given up though it has a name',
  'bytes are deleted before the pack is given up',
  'a name that is taken away leaves no note',
  'a deletion is taken back while it is swept',
  'a fork reads refs and packs at two moments',
  'a cache compares generations, not stamps',
  'COMMIT without an answer is told as refused',
  'a copy from a fork does not ask what its base has released since',
  'a copy from a fork leaves out what its base had when it was forked',
  'the head of a pull request moves before its base has the pack',
] as const
export type Mutation = (typeof MUTATIONS)[number]

export function reach(tips: Iterable<string>): string {
  return [...new Set([...tips].flatMap((tip) => [...(NEEDS[tip] ?? tip)]))].sort().join('')
}

export function start(left: State['left']): State {
  const storage = {
    refs: { main: 'a', ...(left.drop > 0 ? { side: 'b' } : {}) },
    names: { 1: 0, 2: 0 },
    generation: 1,
    stamp: 1,
    released: 0,
    deleted: 0,
  }
  const pack = (content: string) => ({ content, isGarbage: false, key: content, isUnnamed: false })
  const pusher = (ref: string, tip: string): Pusher => ({
    ref,
    tip,
    at: 'outside',
    basis: null,
    content: '',
    pack: 0,
    key: '',
  })
  return {
    truth: {
      storages: [storage as Storage],
      packs: { 1: pack('a'), 2: pack('b') },
      doomed: {},
      pushes: [],
      history: [1],
    },
    saved: null,
    bytes: ['a', 'b'],
    cache: null,
    // One pusher builds on what was dropped, the other restores it. Or a fork has built on a branch that is then dropped.
    pushers:
      left.drop > 0
        ? [{ ...pusher('pull', 'c'), known: 'side' }]
        : [pusher('late', 'c'), pusher('back', 'b')],
    carer: { at: 'idle', stamp: 0, tips: [], packs: [], add: [] },
    looked: 0,
    halfFork: null,
    hasFailedOver: false,
    left,
  }
}

/** The fault of a state; undefined when there is none. */
export function findFault(state: State): string | undefined {
  const { truth, bytes, pushers } = state
  return (
    truth.storages.map((storage, i) => findUnreadable(truth, bytes, storage, i)).find(isFault) ??
    pushers.map((pusher) => findLie(truth, pusher)).find(isFault) ??
    (state.hasFailedOver ? undefined : findForgotten(truth, bytes)) ??
    findStale(state)
  )
}

function isFault(it: string | undefined): boolean {
  return it !== undefined
}

function findUnreadable(
  truth: Truth,
  bytes: readonly string[],
  storage: Storage,
  i: number,
): string | undefined {
  if (storage.deleted === 2) return undefined
  const packs = liveOf(storage).map((id) => truth.packs[id])
  const readable = packs.flatMap((pack) => (pack && bytes.includes(pack.key) ? [...pack.content] : []))
  for (const [ref, tip] of Object.entries(storage.refs)) {
    const missing = [...reach([tip])].find((object) => !readable.includes(object))
    if (missing !== undefined) return `storage ${i}: ${ref} needs ${missing}, which cannot be read`
  }
  return undefined
}

function findLie({ storages: [first] }: Truth, { ref, tip, at }: Pusher): string | undefined {
  const isThere = first?.refs[ref] === tip
  if (at === 'told ok' && !isThere && first?.deleted !== 2) return `${ref} was acknowledged and is not there`
  return at === 'told no' && isThere ? `${ref} was refused and is there` : undefined
}

/** After a failover there may be bytes without a row: they cost room and nothing else. */
function findForgotten({ packs, doomed, storages }: Truth, bytes: readonly string[]): string | undefined {
  const isSought = ([id, pack]: [string, Pack]) =>
    pack.isUnnamed || storages.some(({ names }) => Number(id) in names)
  const forgotten = Object.entries(packs).find((it) => !isSought(it))
  if (forgotten !== undefined) return `pack ${forgotten[0]} has no name, and nobody will look for it`
  const traced = [...Object.values(packs).map(({ key }) => key), ...Object.values(doomed)]
  const lost = bytes.find((key) => !traced.includes(key))
  return lost === undefined ? undefined : `bytes of ${lost} are there, and nobody knows`
}

function findStale({ truth: { storages }, cache }: State): string | undefined {
  const [first] = storages
  if (first === undefined || cache?.stamp !== first.stamp) return undefined
  const isSame = JSON.stringify(cache.refs) === JSON.stringify(first.refs)
  return isSame ? undefined : 'a cache tells what is not so'
}

export function liveOf(storage: Storage): number[] {
  return Object.entries(storage.names).flatMap(([id, retired]) => (retired === 0 ? [Number(id)] : []))
}
