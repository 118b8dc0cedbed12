/** The steps of the model: who can do what next. Each changes a copy of the state atomically. */
import type { Step as OneStep } from './explore.ts'
import {
  type Basis,
  liveOf,
  type Mutation,
  type Pack,
  type Pusher,
  reach,
  type State,
  type Storage,
  type Truth,
} from './storage.ts'

type Step = OneStep<State>

export function stepsOf(state: State, mutation: Mutation | undefined): Step[] {
  const is = (it: Mutation) => mutation === it
  return [
    ...state.pushers.flatMap((_, i) => pushing(i, is)),
    ...caring(is),
    ...sweeping(state, is),
    ...forking(is),
    dropping(),
    ...deleting(is),
    ...failing(is),
  ]
}

type Is = (mutation: Mutation) => boolean

function pushing(i: number, is: Is): Step[] {
  const who = `pusher ${i}: `
  const step = (name: string, act: (state: State, pusher: Pusher) => boolean | undefined): Step => [
    who + name,
    (state) => act(state, state.pushers[i] as Pusher),
  ]
  return [
    step('lease', (state, it) => {
      const storage = state.truth.storages[0] as Storage
      if (it.at !== 'outside' || storage.deleted !== 0) return false
      const seen = seenBy(state, it, is)
      it.basis = { generation: storage.generation, stamp: storage.stamp }
      it.content = [...reach([it.tip])].filter((object) => !seen.has(object)).join('')
      it.at = it.content === '' ? 'uploaded' : 'leased'
    }),
    step('its files in the cache are deleted', (state, it) => {
      if (it.at !== 'leased' || state.left.loss === 0) return false
      state.left.loss -= 1
      // standOn: a tip in no pack is refused.
      it.at = is('a tip in no pack is committed') ? 'uploaded' : 'told no'
    }),
    step('announce', (state, it) => {
      if (it.at !== 'leased') return false
      const isShared = is('a key is used again for the same content')
      it.pack = addPack(state, it.content, false, isShared ? it.content : undefined)
      it.key = state.truth.packs[it.pack]?.key ?? ''
      it.at = 'announced'
    }),
    step('upload', (state, it) => {
      if (it.at !== 'announced') return false
      if (!state.bytes.includes(it.key)) state.bytes.push(it.key)
      it.at = 'uploaded'
    }),
    step('commitRefs', (state, it) => {
      if (it.at !== 'uploaded') return false
      it.at = commitRefs(state, it, is) ? 'committed' : 'told no'
    }),
    step('is told', (_, it) => {
      if (it.at !== 'committed') return false
      it.at = 'told ok'
    }),
    step('settle', (state, it) => {
      if (it.at !== 'committed') return false
      const isRefused = is('COMMIT without an answer is told as refused')
      it.at = !isRefused && state.truth.pushes.includes(it.ref) ? 'told ok' : 'told no'
    }),
    step('dies', (state, it) => {
      if (it.at === 'outside' || it.at.startsWith('told') || it.at === 'dead' || state.left.crash === 0)
        return false
      state.left.crash -= 1
      it.at = 'dead'
    }),
  ]
}

/** A push borrows all existing objects; copyCommits leaves out what the known ref reaches now. */
function seenBy({ truth }: State, { known }: Pusher, is: Is): Set<string> {
  const storage = truth.storages[0] as Storage
  const contents = liveOf(storage).map((id) => truth.packs[id]?.content ?? '')
  const tips = known === undefined ? undefined : [storage.refs[known] ?? storage.refs.main ?? '']
  const isForgotten = is('a copy from a fork leaves out what its base had when it was forked')
  if (tips !== undefined) return new Set(isForgotten ? 'ab' : reach(tips))
  return new Set(contents.flatMap((content) => [...content]))
}

/** The transaction: basis, pack, ref. */
function commitRefs(state: State, pusher: Pusher, is: Is): boolean {
  const { truth } = state
  const storage = truth.storages[0] as Storage
  const { ref, tip, basis } = pusher
  if (storage.deleted !== 0 || basis === null || ref in storage.refs) return false
  const isCopy = pusher.known !== undefined
  const isTrusted = isCopy && is('a copy from a fork does not ask what its base has released since')
  if (!isTrusted && !assertStands(truth, basis, is)) return false
  const isEarly = isCopy && is('the head of a pull request moves before its base has the pack')
  if (!isEarly && !addPacks(truth, storage, pusher, is)) return false
  if (!is('garbage is not taken back by a push that was in flight'))
    for (const [id, retired] of Object.entries(storage.names))
      if (retired > basis.generation && truth.packs[Number(id)]?.isGarbage) storage.names[Number(id)] = 0
  storage.refs[ref] = tip
  truth.pushes.push(ref)
  growGeneration(state, storage)
  return true
}

function assertStands({ storages: [storage], history }: Truth, basis: Basis, is: Is): boolean {
  const isReleased = (storage?.released ?? 0) > basis.generation
  const isKnown = history.includes(basis.stamp)
  return (
    (!isReleased || is('a push does not ask what was released since it looked')) &&
    (isKnown || is('a push does not ask whether a failover has lost what it saw'))
  )
}

function addPacks(truth: Truth, storage: Storage, { pack }: Pusher, is: Is): boolean {
  if (pack === 0) return true
  const announced = truth.packs[pack]
  if (!announced?.isUnnamed && !is('a pack is named though its announcement was swept')) return false
  if (announced !== undefined) announced.isUnnamed = false
  storage.names[pack] = 0
  return true
}

function caring(is: Is): Step[] {
  return [
    [
      'collectGarbage: looks',
      (state) => {
        if (state.left.collect === 0 || !mayLook(state)) return false
        state.left.collect -= 1
        look(state, 'collecting')
      },
    ],
    [
      'collectGarbage: publishes',
      (state) => {
        const { carer, truth } = state
        if (carer.at !== 'collecting') return false
        // Unreadable packs cannot be packed: it gives up.
        carer.packs = carer.packs.filter((id) => !truth.packs[id]?.isGarbage)
        const all = [...new Set(carer.packs.flatMap((id) => [...(truth.packs[id]?.content ?? '')]))].sort()
        const reached = reach(carer.tips)
        const rest = all.filter((object) => !reached.includes(object)).join('')
        const isLeftOut = is('a collection leaves out what refs do not reach')
        const add = [
          addPack(state, reached, false),
          ...(rest && !isLeftOut ? [addPack(state, rest, true)] : []),
        ]
        for (const id of add) state.bytes.push(keyOf(id))
        carer.add = add
        carer.at = 'published'
      },
    ],
    ['replacePacks', replacePacks],
    [
      'expireGarbage: looks and walks',
      (state) => {
        if (state.left.expire === 0 || !mayLook(state)) return false
        state.left.expire -= 1
        look(state, 'walked')
        const { carer, truth } = state
        const [expired, rest] = [true, false].map((wanted) =>
          carer.packs.filter((id) => truth.packs[id]?.isGarbage === wanted),
        ) as [number[], number[]]
        const kept = rest.flatMap((id) => [...(truth.packs[id]?.content ?? '')])
        const isWhole = [...reach(carer.tips)].every((object) => kept.includes(object))
        carer.packs = expired
        if (!isWhole && !is('garbage expires without a walk')) resetCarer(state)
      },
    ],
    [
      'expireGarbage: retires',
      (state) => {
        const { carer, truth } = state
        if (carer.at !== 'walked') return false
        const storage = truth.storages[0] as Storage
        const isSame =
          storage.stamp === carer.stamp || is('garbage expires though refs have moved since the walk')
        if (isSame && storage.deleted === 0 && carer.packs.length > 0) retire(state, storage, carer.packs)
        resetCarer(state)
      },
    ],
    [
      'carer dies',
      (state) => {
        if (state.carer.at === 'idle' || state.left.crash === 0) return false
        state.left.crash -= 1
        resetCarer(state)
      },
    ],
  ]
}

function replacePacks(state: State): boolean | undefined {
  const { carer, truth } = state
  if (carer.at !== 'published') return false
  const storage = truth.storages[0] as Storage
  const isRaced = carer.packs.some((id) => storage.names[id] !== 0)
  const areAnnounced = carer.add.every((id) => truth.packs[id]?.isUnnamed)
  if (storage.deleted === 0 && !isRaced && areAnnounced) {
    for (const id of carer.add) {
      storage.names[id] = 0
      ;(truth.packs[id] as Pack).isUnnamed = false
    }
    retire(state, storage, carer.packs)
  }
  resetCarer(state)
}

function sweeping({ truth }: State, is: Is): Step[] {
  const ids = Object.keys(truth.packs).map(Number)
  const named = truth.storages.flatMap((storage, i) =>
    Object.keys(storage.names).map((id) => ({ i, id: Number(id) })),
  )
  return [
    ...named.map(
      ({ i, id }): Step => [
        `sweeper: release of pack ${id} from storage ${i}`,
        ({ truth, left }) => {
          const storage = truth.storages[i] as Storage
          const retired = storage.names[id] ?? 0
          if (retired === 0 || storage.deleted === 2 || left.release === 0) return false
          left.release -= 1
          storage.released = Math.max(storage.released, retired)
          takeName(truth, storage, id, is)
        },
      ],
    ),
    ...ids.map((id): Step => [`sweeper: doom of pack ${id}`, (state) => doom(state, id, is)]),
    ...Object.keys(truth.doomed).map(
      (id): Step => [
        `sweeper: deleteBytes of pack ${id}`,
        (state) => {
          deleteKey(state, state.truth.doomed[Number(id)] ?? '')
          // The last time; the row is deleted when no upload can be running any more.
          if (state.pushers.some(({ pack, at }) => pack === Number(id) && at === 'announced')) return
          delete state.truth.doomed[Number(id)]
        },
      ],
    ),
  ]
}

function doom(state: State, id: number, is: Is): boolean | undefined {
  const { truth } = state
  const pack = truth.packs[id] as Pack
  if (!pack.isUnnamed || state.left.doom === 0) return false
  const hasName = truth.storages.some(({ names }) => id in names)
  if (is('bytes are deleted before the pack is given up') && state.looked !== id) {
    // It checks, deletes, and only then removes the row.
    if (hasName) return false
    state.looked = id
    return deleteKey(state, pack.key)
  }
  if (hasName && !is('a pack is given up though it has a name')) {
    pack.isUnnamed = false
    return
  }
  state.left.doom -= 1
  truth.doomed[id] = pack.key
  delete truth.packs[id]
}

function forking(is: Is): Step[] {
  const fork = (state: State, packs: readonly number[]): void => {
    const [parent] = state.truth.storages as [Storage]
    const refs = { ...parent.refs }
    const names = Object.fromEntries(packs.map((id) => [id, 0]))
    const made = { refs, names, generation: 1, stamp: newStamp(state), released: 0, deleted: 0 as const }
    state.truth.storages.push(made)
    state.halfFork = null
  }
  return [
    [
      'forkStorage',
      (state) => {
        const [parent] = state.truth.storages as [Storage]
        if (state.left.fork === 0 || parent.deleted !== 0) return false
        state.left.fork -= 1
        if (is('a fork reads refs and packs at two moments')) state.halfFork = liveOf(parent)
        else fork(state, liveOf(parent))
      },
    ],
    [
      'forkStorage, its other half',
      (state) => (state.halfFork ? fork(state, state.halfFork) : false) as false,
    ],
  ]
}

/** A branch is deleted, and with it what kept its commits. */
function dropping(): Step {
  return [
    'dropRef',
    (state) => {
      const storage = state.truth.storages[0] as Storage
      if (state.left.drop === 0 || storage.refs.side === undefined) return false
      state.left.drop -= 1
      delete storage.refs.side
      growGeneration(state, storage)
    },
  ]
}

function deleting(is: Is): Step[] {
  const first = (state: State) => state.truth.storages[0] as Storage
  return [
    [
      'markDeleted',
      (state) => {
        if (state.left.delete === 0 || first(state).deleted !== 0) return false
        state.left.delete -= 1
        first(state).deleted = 1
      },
    ],
    [
      'undeleteStorage',
      (state) => {
        const wasSwept = first(state).deleted === 2 && is('a deletion is taken back while it is swept')
        if (state.left.undelete === 0 || (first(state).deleted !== 1 && !wasSwept)) return false
        state.left.undelete -= 1
        first(state).deleted = 0
      },
    ],
    [
      'sweepStorages: beginSweep',
      (state) => {
        if (first(state).deleted !== 1) return false
        first(state).deleted = 2
      },
    ],
    [
      'sweepStorages: forgetPacks',
      (state) => {
        const names = Object.keys(first(state).names)
        if (first(state).deleted !== 2 || names.length === 0) return false
        for (const id of names) takeName(state.truth, first(state), Number(id), is)
      },
    ],
  ]
}

/** A failover loses less than a day: nothing that was released, doomed or swept comes back. */
function failing(is: Is): Step[] {
  const isAtRest = ({ truth, saved }: State) =>
    saved !== null &&
    Object.keys(saved.packs).every((id) => id in truth.packs) &&
    saved.storages.every((storage, i) =>
      Object.keys(storage.names).every((id) => id in (truth.storages[i]?.names ?? {})),
    )
  return [
    [
      'a standby stops following',
      (state) => {
        if (state.left.failover === 0 || state.saved !== null) return false
        state.saved = structuredClone(state.truth)
      },
    ],
    [
      'failover',
      (state) => {
        if (state.left.failover === 0 || !isAtRest(state)) return false
        state.left.failover -= 1
        const lost = Object.entries(state.truth.packs).filter(([id]) => !(id in (state.saved?.packs ?? {})))
        state.truth = state.saved as Truth
        state.saved = null
        state.hasFailedOver = true
        // Bytes without a row are a cost, not a loss; here they are deleted with their rows.
        for (const [, { key }] of lost) deleteKey(state, key)
        for (const pusher of state.pushers) {
          const wasLost = !(pusher.ref in (state.truth.storages[0]?.refs ?? {}))
          // A pusher answered by the old primary has lost what every failover loses.
          if ((pusher.at === 'told ok' || pusher.at === 'committed') && wasLost) pusher.at = 'dead'
        }
      },
    ],
    [
      'lease by a reader',
      (state) => {
        if (state.left.read === 0) return false
        const storage = state.truth.storages[0] as Storage
        const { cache } = state
        const isCurrent = is('a cache compares generations, not stamps')
          ? cache !== null && cache.generation >= storage.generation
          : cache?.stamp === storage.stamp
        if (isCurrent && cache !== null && is('a cache compares generations, not stamps')) {
          if (cache.stamp === storage.stamp) return false
          state.left.read -= 1
          cache.stamp = storage.stamp
          return
        }
        if (isCurrent) return false
        state.left.read -= 1
        const { stamp, generation, refs } = storage
        state.cache = { stamp, generation, refs: { ...refs } }
      },
    ],
  ]
}

function mayLook({ carer, truth }: State): boolean {
  return carer.at === 'idle' && truth.storages[0]?.deleted === 0
}

function look(state: State, at: 'collecting' | 'walked'): void {
  const storage = state.truth.storages[0] as Storage
  const { stamp, refs } = storage
  state.carer = { at, stamp, tips: Object.values(refs), packs: liveOf(storage), add: [] }
}

function resetCarer(state: State): void {
  state.carer = { at: 'idle', stamp: 0, tips: [], packs: [], add: [] }
}

function retire(state: State, storage: Storage, ids: readonly number[]): void {
  for (const id of ids) storage.names[id] = storage.generation + 1
  growGeneration(state, storage)
}

function growGeneration(state: State, storage: Storage): void {
  storage.generation += 1
  storage.stamp = newStamp(state)
  state.truth.history.push(storage.stamp)
}

function takeName(truth: Truth, storage: Storage, id: number, is: Is): void {
  delete storage.names[id]
  const pack = truth.packs[id]
  if (pack !== undefined && !is('a name that is taken away leaves no note')) pack.isUnnamed = true
}

function addPack(state: State, content: string, isGarbage: boolean, key?: string): number {
  const id = 1 + Math.max(0, ...idsIn(state))
  state.truth.packs[id] = { content, isGarbage, key: key ?? keyOf(id), isUnnamed: true }
  return id
}

/** Every id that is still in use. */
function idsIn({ truth, saved, pushers, carer }: State): number[] {
  const rows = [truth, ...(saved ? [saved] : [])].flatMap((it) => [
    ...Object.keys(it.packs),
    ...Object.keys(it.doomed),
    ...it.storages.flatMap(({ names }) => Object.keys(names)),
  ])
  return [...rows.map(Number), ...pushers.map(({ pack }) => pack), ...carer.add]
}

/** A stamp that was never used. */
function newStamp({ truth, saved, carer, cache, pushers }: State): number {
  const storages = [...truth.storages, ...(saved?.storages ?? [])]
  const seen = [carer.stamp, cache?.stamp ?? 0, ...pushers.map(({ basis }) => basis?.stamp ?? 0)]
  return 1 + Math.max(...seen, ...truth.history, ...storages.map(({ stamp }) => stamp))
}

function deleteKey(state: State, key: string): undefined {
  state.bytes = state.bytes.filter((it) => it !== key)
}

function keyOf(id: number): string {
  return `upload ${id}`
}
