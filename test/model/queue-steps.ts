/** The steps of the merge queue: workers that read, and later act on that in one transaction; and all other actors. */
import { planNext } from '../../src/domains/review/merges/queue/plan.ts'
import type { Step } from './explore.ts'
import {
  IDLE,
  type Mutation,
  type Row,
  type Standing,
  type State,
  standingsOf,
  type Worker,
} from './queue.ts'

export function stepsOf(state: State, mutation: Mutation | undefined): Step<State>[] {
  return [
    ...state.workers.flatMap((_, i) => working(i, mutation)),
    ...Object.values(state.refs).flatMap((commit) => checking(commit)),
    ...Object.keys(state.heads).flatMap((pull) => proposing(Number(pull), mutation)),
    pushing(),
  ]
}

function working(i: number, mutation: Mutation | undefined): Step<State>[] {
  const step = (name: string, act: (state: State, worker: Worker) => boolean | undefined): Step<State> => [
    `worker ${i}: ${name}`,
    (state) => act(state, state.workers[i] as Worker),
  ]
  return [
    step('looks', (state, worker) => worker.kind === '' && look(state, worker, mutation)),
    step('looks for refs', (state, worker) => {
      const isLeft = (pull: string) => !state.queue.some((row) => row.pull === Number(pull))
      const refs = Object.fromEntries(Object.entries(state.refs).filter(([pull]) => isLeft(pull)))
      if (worker.kind !== '' || Object.keys(refs).length === 0) return false
      Object.assign(worker, { kind: 'tidy', refs })
    }),
    step('acts', (state, worker) => {
      if (worker.kind === '') return false
      const { kind, rows, parent, refs } = worker
      Object.assign(worker, IDLE)
      if (kind === 'build') build(state, rows[0] as Row, parent, mutation)
      if (kind === 'land') land(state, rows, worker, mutation)
      if (kind === 'mark') mark(state, rows)
      if (kind === 'leave') leave(state, rows[0] as Row)
      if (kind === 'tidy') tidy(state, refs, mutation)
    }),
    step('finds a conflict', (state, { kind, rows: [row], parent }) => {
      if (kind !== 'build' || state.left.conflict === 0) return false
      state.left.conflict -= 1
      Object.assign(state.workers[i] as Worker, IDLE)
      const held = state.queue.find(({ id }) => id === row?.id)
      if (held !== undefined) Object.assign(held, { parent, tested: '' })
    }),
    step('dies', (state, worker) => {
      if (worker.kind === '' || state.left.die === 0) return false
      state.left.die -= 1
      Object.assign(worker, IDLE)
    }),
  ]
}

function look(state: State, worker: Worker, mutation: Mutation | undefined): boolean {
  const standings = standingsOf(state, mutation)
  const next = planNext(state.base, mutated(state.base, standings, mutation))
  const failed = standings.find(({ verdict }) => verdict === 'failed')
  if (mutation === 'whoever failed leaves at once' && failed !== undefined)
    Object.assign(worker, { kind: 'leave', rows: [{ ...failed.row }] })
  else if (next.kind === 'wait') return false
  else if (next.kind === 'build')
    Object.assign(worker, { kind: 'build', rows: [{ ...next.entry.row }], parent: next.parent })
  else if (next.kind === 'leave') Object.assign(worker, { kind: 'leave', rows: [{ ...next.entry.row }] })
  else Object.assign(worker, { kind: 'land', rows: next.entries.map(({ row }) => ({ ...row })) })
  return true
}

/** Treats every test result as valid for what is in front of it now. */
function mutated(base: string, standings: Standing[], mutation: Mutation | undefined): Standing[] {
  if (mutation !== 'those behind one that left are not tried again') return standings
  let parent = base
  return standings.map((it) => {
    const moved = { ...it, parent: it.parent === null ? null : parent }
    parent = it.tested ?? parent
    return moved
  })
}

/** tryUpon: discards the result for an entry that has left. */
function build(state: State, { id, pull, head }: Row, parent: string, mutation: Mutation | undefined): void {
  const held = state.queue.find((row) => row.id === id)
  if (held === undefined) return
  Object.assign(held, { parent, tested: `${parent}.${pull}${head}` })
  if (mutation !== 'a row is written before its ref') state.refs[pull] = held.tested
}

/** landTogether: the transaction. */
function land(state: State, rows: Row[], worker: Worker, mutation: Mutation | undefined): void {
  const { base, queue, refs, heads, said } = state
  const is = (it: Mutation) => mutation === it
  const [first, last] = [rows[0] as Row, rows.at(-1) as Row]
  const isHere = (row: Row) =>
    refs[row.pull] === row.tested && queue.some(({ id, tested }) => id === row.id && tested === row.tested)
  const isChained = (row: Row, i: number) => i === 0 || row.parent === rows[i - 1]?.tested
  const isSaid = (row: Row) => said[row.tested] === 'passed'
  const isFree =
    (first.parent === base ||
      is('the base moves though it is not what was built upon') ||
      is('those behind one that left are not tried again')) &&
    (rows.every(isHere) || is('rows are not looked at again when they land')) &&
    (rows.every(isChained) || is('those behind one that left are not tried again')) &&
    (rows.every(isSaid) ||
      is('what is pending lands with what passed') ||
      is('what was said of it upon another parent counts')) &&
    (rows.every(({ pull, head }) => heads[pull] === head) ||
      is('a push to the head changes nothing') ||
      is('rows are not looked at again when they land'))
  if (!isFree) return
  state.base = last.tested
  state.bases.push(last.tested)
  if (is('the base moves and pull requests are marked in two transactions'))
    Object.assign(worker, { kind: 'mark', rows })
  else mark(state, rows)
}

function mark(state: State, rows: readonly Row[]): void {
  for (const { pull } of rows) {
    if (!state.merged.includes(pull)) state.merged.push(pull)
    state.queue = state.queue.filter((row) => row.pull !== pull)
    delete state.refs[pull]
  }
}

/** expel: an entry is not responsible for a failure on top of something that the base never was. */
function leave(state: State, { id, parent }: Row): void {
  if (!state.queue.some((row) => row.id === id)) return
  state.queue = state.queue.filter((row) => row.id !== id)
  state.isUnjust ||= !state.bases.includes(parent)
}

/** tidy: checked again under the storage lock. */
function tidy(state: State, refs: Worker['refs'], mutation: Mutation | undefined): void {
  const pulls = Object.keys(refs).map(Number)
  const isBack = state.queue.some(({ pull }) => pulls.includes(pull))
  if (isBack && mutation !== 'a ref is taken away though it came back') return
  if (pulls.some((pull) => state.refs[pull] !== refs[pull])) return
  for (const pull of pulls) delete state.refs[pull]
}

function checking(commit: string): Step<State>[] {
  return (['passed', 'failed'] as const).map((verdict) => [
    `a check says that ${commit} ${verdict}`,
    (state) => {
      if (state.said[commit] !== undefined || (verdict === 'failed' && state.left.fail === 0)) return false
      if (verdict === 'failed') state.left.fail -= 1
      state.said[commit] = verdict
    },
  ])
}

function proposing(pull: number, mutation: Mutation | undefined): Step<State>[] {
  return [
    [
      `somebody pushes to the head of ${pull}`,
      (state) => {
        if (state.left.head === 0 || state.merged.includes(pull)) return false
        state.left.head -= 1
        state.heads[pull] = 'b'
        if (mutation !== 'a push to the head changes nothing')
          state.queue = state.queue.filter((row) => row.pull !== pull)
      },
    ],
    [
      `somebody queues ${pull} again`,
      (state) => {
        const isQueued = state.queue.some((row) => row.pull === pull)
        if (state.left.requeue === 0 || state.merged.includes(pull) || isQueued) return false
        state.left.requeue -= 1
        state.queued += 1
        const head = state.heads[pull] ?? ''
        state.queue.push({ id: state.queued, pull, head, parent: '', tested: '' })
      },
    ],
    [
      `somebody takes ${pull} out`,
      (state) => {
        if (state.left.requeue === 0 || !state.queue.some((row) => row.pull === pull)) return false
        state.queue = state.queue.filter((row) => row.pull !== pull)
      },
    ],
  ]
}

function pushing(): Step<State> {
  return [
    'somebody pushes to the base',
    (state) => {
      if (state.left.push === 0) return false
      state.left.push -= 1
      state.base += '.x'
      state.bases.push(state.base)
    },
  ]
}
