/** A client that pushes without end: with the real git, to any node, checking the outcome on another node. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosForge, ChaosRepository } from './chaos-forge.ts'
import type { ChaosNode } from './chaos-node.ts'
import type { Dice } from './dice.ts'
import { git, tryGit } from './git.ts'
import { type Answer, type Ledger, type Move, NONE, type Push } from './ledger.ts'
import { writeBlob, writeCommit, writeTag, writeTree } from './objects.ts'
import { readAnswers } from './porcelain.ts'
import { type Change, type Plan, planPush } from './push-plan.ts'

export interface Target {
  readonly repo: ChaosRepository
  readonly ledger: Ledger
}

export interface Result {
  readonly answers: ReadonlyMap<string, Answer>
  readonly complaint: string
}

const SMALL_BYTES_MAX = 20_000
/** Larger than git's buffer: such a push is sent chunked, without a length. */
const LARGE_BYTES = 1_500_000
const LOOK_TRIES = 200
const LOOK_PAUSE_MS = 300
const FETCH_TRIES = 8

export class Pusher implements AsyncDisposable {
  readonly name: string
  fetches = 0
  /** Allowed during faults only. */
  fetchesGivenUp = 0
  private readonly forge: ChaosForge
  private readonly dice: Dice
  private readonly folder: string

  private constructor(forge: ChaosForge, dice: Dice, name: string) {
    this.forge = forge
    this.dice = dice
    this.name = name
    this.folder = join(forge.folder, 'pushers', name)
  }

  static async open(forge: ChaosForge, dice: Dice, name: string): Promise<Pusher> {
    const pusher = new Pusher(forge, dice, name)
    for (const part of ['work', 'reader']) {
      await mkdir(join(pusher.folder, part), { recursive: true })
      await git(join(pusher.folder, part), ['init', '--quiet', '--bare'])
    }
    return pusher
  }

  /** One random push. */
  async pushAnything(target: Target): Promise<void> {
    const plan = planPush(this.dice, this.name, (ref) => target.ledger.value(ref) !== NONE)
    const node = await this.forge.pickNode(this.dice)
    await this.push(target, plan, node)
  }

  /** Pushes to a node, reads from another one, and records both. */
  async push({ repo, ledger }: Target, plan: Plan, node: ChaosNode): Promise<Result> {
    const moves: Move[] = []
    for (const change of plan.changes) {
      const old = ledger.value(change.ref)
      moves.push({ ref: change.ref, old, new: await this.make(change, old) })
    }
    const push: Push = { moves, isAtomic: plan.isAtomic }
    const words = [
      'push',
      '--porcelain',
      ...(plan.isAtomic ? ['--atomic'] : []),
      this.forge.gitUrl(node, repo),
    ]
    const said = await tryGit(join(this.folder, 'work'), [
      ...words,
      ...plan.changes.map((it, i) => refspec(it, moves[i])),
    ])
    const answers = readAnswers(said.output)
    const isUnclear = moves.some(({ ref }) => (answers.get(ref) ?? 'unknown') === 'unknown')
    if (isUnclear) await this.forge.untilSettled(repo)
    const seen = await this.look(repo, moves, node)
    ledger.record(push, answers, seen)
    if (!isUnclear && this.dice.chance(0.2)) await this.fetch(repo, moves, answers, node)
    return { answers, complaint: said.complaint }
  }

  /** The new target of a ref: different in every push, so that no two pushes look the same. */
  private async make({ ref, how }: Change, old: string): Promise<string> {
    if (how === 'delete') return NONE
    const work = join(this.folder, 'work')
    const size = this.dice.chance(0.03) ? LARGE_BYTES : this.dice.between(1, SMALL_BYTES_MAX)
    const blob = await writeBlob(work, this.dice.bytes(size))
    const tree = await writeTree(work, 'file', blob)
    const isTag = ref.startsWith('refs/tags/')
    const parents = how === 'grow' && old !== NONE && !isTag ? [old] : []
    const commit = await writeCommit(work, { tree, parents, message: `${this.name} ${blob}` })
    return isTag ? writeTag(work, { name: this.name, commit }) : commit
  }

  /** The current values of these refs on another node. */
  private async look(
    repo: ChaosRepository,
    moves: readonly Move[],
    butNot: ChaosNode,
  ): Promise<Map<string, string>> {
    for (let tries = 1; ; tries++) {
      const node = await this.forge.pickNode(this.dice, butNot)
      const asked = ['ls-remote', this.forge.gitUrl(node, repo), ...moves.map(({ ref }) => ref)]
      const { code, output, complaint } = await tryGit(this.folder, asked)
      if (code === 0) return readRefs(output)
      if (tries === LOOK_TRIES) throw new Error(`no node says what the refs are: ${complaint}`)
      await sleep(LOOK_PAUSE_MS)
    }
  }

  /** Acknowledged objects can be fetched from another node. */
  private async fetch(
    repo: ChaosRepository,
    moves: readonly Move[],
    answers: ReadonlyMap<string, Answer>,
    butNot: ChaosNode,
  ): Promise<void> {
    const done = moves.filter(({ ref, new: oid }) => answers.get(ref) === 'acknowledged' && oid !== NONE)
    if (done.length === 0) return
    this.fetches += 1
    for (let tries = 0; tries < FETCH_TRIES; tries++) {
      const node = await this.forge.pickNode(this.dice, butNot)
      const wanted = done.map(({ ref }) => `+${ref}:${ref}`)
      const asked = ['fetch', '--quiet', '--no-tags', this.forge.gitUrl(node, repo), ...wanted]
      if ((await tryGit(join(this.folder, 'reader'), asked)).code === 0) return
      await sleep(LOOK_PAUSE_MS)
    }
    this.fetchesGivenUp += 1
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }
}

/** Lines of `ls-remote` and `for-each-ref`, without peeled tags. */
export function readRefs(output: string): Map<string, string> {
  const lines = output.split('\n').map((line) => line.split('\t') as [string, string?])
  return new Map(
    lines.flatMap(([oid, ref]) => (ref === undefined || ref.endsWith('^{}') ? [] : [[ref, oid]])),
  )
}

function refspec({ ref, how }: Change, move: Move | undefined): string {
  if (how === 'delete' || move === undefined) return `:${ref}`
  return `${how === 'rewrite' ? '+' : ''}${move.new}:${ref}`
}
