/**
 * The steps around heads of pull requests: users push, close, reopen and request merges; workers read, and later act in a
 * transaction.
 */
import type { Step } from './explore.ts'
import { IDLE, type Job, type Mutation, type Person, type Pull, type State, type Worker } from './heads.ts'

/** In the transaction of a push. The forge moves ten; it only matters that there are more. */
const MOVED_AT_ONCE = 1

export function stepsOf(state: State, mutation: Mutation | undefined): Step<State>[] {
  return [
    ...(['ann', 'eve'] as const).map((who) => pushing(who, mutation)),
    ...state.pulls.flatMap((_, i) => deciding(i, mutation)),
    ...[...new Set(state.pulls.map(({ head }) => head))].map(checking),
    ...state.workers.flatMap((_, i) => working(i, mutation)),
    ...remembering(),
  ]
}

function pushing(who: Person, mutation: Mutation | undefined): Step<State> {
  return [
    `${who} pushes`,
    (state) => {
      if (state.left.push === 0) return false
      state.left.push -= 1
      state.tip = String.fromCharCode(state.tip.charCodeAt(0) + 1)
      state.pushers[state.tip] = who
      const open = state.pulls.flatMap(({ isOpen }, i) => (isOpen ? [i] : []))
      for (const i of open.slice(0, MOVED_AT_ONCE)) move(state, state.pulls[i] as Pull, who, mutation)
      const pulls = open.slice(MOVED_AT_ONCE)
      if (pulls.length === 0) return
      const isLate = mutation === 'the rest of a push is ordered after its transaction'
      const queue = isLate ? state.memory : state.jobs
      state.ordered += 1
      queue.push({ id: state.ordered, pulls, tip: state.tip, pusher: who })
    },
  ]
}

/** moveHeads: a merge scheduled for another head is cancelled with the move. */
function move(state: State, pull: Pull, pusher: Pull['pusher'], mutation: Mutation | undefined): void {
  if (!pull.isOpen || pull.head === state.tip) return
  Object.assign(pull, { head: state.tip, pusher })
  // A scheduled merge without a commit is taken for one of any head.
  if (mutation === 'an order keeps no commit') pull.order &&= pull.head
  else if (mutation !== 'a push leaves orders as they are') pull.order = ''
}

function deciding(i: number, mutation: Mutation | undefined): Step<State>[] {
  const step = (name: string, act: (state: State, pull: Pull) => boolean | undefined): Step<State> => [
    `ann ${name} ${i}`,
    (state) => act(state, state.pulls[i] as Pull),
  ]
  return [
    step('closes', (state, pull) => {
      if (state.left.close === 0 || !pull.isOpen) return false
      state.left.close -= 1
      Object.assign(pull, { isOpen: false, order: '' })
    }),
    step('reopens', (state, pull) => {
      if (pull.isOpen || pull.landed !== '') return false
      pull.isOpen = true
      const pusher = mutation === 'who reopens counts as the pusher' ? 'ann' : 'nobody'
      if (mutation === 'reopening orders nothing') return
      state.ordered += 1
      state.jobs.push({ id: state.ordered, pulls: [i], tip: '', pusher })
    }),
    step('asks for', (state, pull) => {
      const isBehind = pull.head !== state.tip
      if (state.left.ask === 0 || !pull.isOpen || pull.order !== '' || isBehind) return false
      state.left.ask -= 1
      pull.order = pull.head
      state.asked[i] = pull.head
    }),
  ]
}

function checking(head: string): Step<State> {
  return [
    `checks of ${head} succeed`,
    (state) => {
      if (state.passed.includes(head)) return false
      state.passed.push(head)
    },
  ]
}

function working(i: number, mutation: Mutation | undefined): Step<State>[] {
  const step = (name: string, act: (state: State, worker: Worker) => boolean | undefined): Step<State> => [
    `worker ${i} ${name}`,
    (state) => act(state, state.workers[i] as Worker),
  ]
  return [
    ...[0, 1].map((pull) =>
      step(`looks at the order of ${pull}`, (state, worker) => {
        const order = state.pulls[pull]?.order ?? ''
        if (worker.kind !== '' || order === '' || !state.passed.includes(order)) return false
        Object.assign(worker, { kind: 'land', pull, oid: order })
      }),
    ),
    ...[0, 1].map((index) =>
      step(`takes job ${index}`, (state, worker) => {
        const job = state.jobs[index]
        if (worker.kind !== '' || job === undefined) return false
        Object.assign(worker, { kind: 'catch up', oid: state.tip, job })
        if (mutation === 'a job is gone before its heads have moved') state.jobs.splice(index, 1)
      }),
    ),
    step('acts', (state, worker) => {
      if (worker.kind === '') return false
      const { kind, pull, oid, job } = worker
      Object.assign(worker, IDLE)
      if (kind === 'land') land(state, pull, oid, mutation)
      else if (job !== null) catchUp(state, job, oid, mutation)
    }),
    step('dies', (state, worker) => {
      if (worker.kind === '' || state.left.die === 0) return false
      state.left.die -= 1
      Object.assign(worker, IDLE)
    }),
  ]
}

/** land: the transaction, which checks everything again. */
function land(state: State, i: number, oid: string, mutation: Mutation | undefined): void {
  const pull = state.pulls[i] as Pull
  const is = (it: Mutation) => mutation === it
  const isAsked = pull.order === oid || is('an order is not looked at again when it lands')
  const isThere = pull.head === oid || is('a push leaves orders as they are')
  const isTip = pull.head === state.tip || is('one that is behind its branch lands')
  if (!pull.isOpen || pull.landed !== '' || !isAsked || !isThere || !isTip) return
  if (pull.order === '') state.wrong = 'something landed that nobody asks for any more'
  if (state.asked[i] !== pull.head) state.wrong = 'another head landed than was asked for'
  if (pull.head !== state.tip) state.wrong = 'something landed that is behind its branch'
  Object.assign(pull, { landed: pull.head, isOpen: false, order: '' })
}

/** catchUpAll: a job is done if and only if its transaction is. */
function catchUp(state: State, job: Job, to: string, mutation: Mutation | undefined): void {
  state.jobs = state.jobs.filter(({ id }) => id !== job.id)
  const isTold = mutation === 'the tip is not read again under the lock'
  if (state.tip !== to && !isTold) return
  const isOwn = job.tip === to || mutation === 'a job names its pusher for whatever the branch is by then'
  const pusher = isOwn || mutation === 'who reopens counts as the pusher' ? job.pusher : 'nobody'
  for (const i of job.pulls) {
    const tip = state.tip
    if (isTold) state.tip = to
    move(state, state.pulls[i] as Pull, pusher, mutation)
    state.tip = tip
  }
}

/** Memory exists only where the rest of a push is not part of its transaction. */
function remembering(): Step<State>[] {
  return [
    [
      'a node orders what it remembers',
      (state) => {
        const job = state.memory.pop()
        if (job === undefined) return false
        state.jobs.push(job)
      },
    ],
    [
      'a node that remembers dies',
      (state) => {
        if (state.memory.length === 0 || state.left.die === 0) return false
        state.left.die -= 1
        state.memory = []
      },
    ],
  ]
}
