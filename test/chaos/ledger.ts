/**
 * The ledger of one repository: the intent of every push, the answer its client got, and so the required state. It knows
 * nothing of processes and networks; evidence is passed in.
 */
import { differences } from './tally.ts'

/** The object id for a missing ref. */
export const NONE = '0'.repeat(40)

export interface Move {
  readonly ref: string
  readonly old: string
  readonly new: string
}

/** `unknown`: the client got no answer that shows whether the ref has moved. */
export type Answer = 'acknowledged' | 'refused' | 'unknown'

export interface Push {
  readonly moves: readonly Move[]
  readonly isAtomic: boolean
}

export interface Evidence {
  /** Refs as a reader finds them. */
  readonly refs: ReadonlyMap<string, string>
  /** The `refs.moved` events, one for each push. */
  readonly events: readonly (readonly Move[])[]
  /** The counters. */
  readonly branches: number
  readonly tags: number
}

const COUNTED = { branches: 'refs/heads/', tags: 'refs/tags/' } as const
/** How many recent pushes to each ref are reported with a fault. */
const CHAPTERS_MAX = 5

export class Ledger {
  readonly counts = { pushes: 0, acknowledged: 0, refused: 0, unknown: 0, landedUnknown: 0 }
  /** Faults found while recording. */
  readonly faults: string[] = []
  private readonly values = new Map<string, string>()
  private readonly landed: (readonly Move[])[] = []
  private readonly stories = new Map<string, string[]>()

  /** Every move that was done, whatever answer its client got. */
  get done(): Move[] {
    return this.landed.flat()
  }

  value(ref: string): string {
    return this.values.get(ref) ?? NONE
  }

  /** Records a push. `seen` is the value of its refs on another node after the answer, when all was settled. */
  record(push: Push, answers: ReadonlyMap<string, Answer>, seen: ReadonlyMap<string, string>): void {
    const landed = push.moves.filter((move) =>
      this.hasLanded(move, answerTo(answers, move), seen.get(move.ref) ?? NONE),
    )
    for (const move of landed) this.values.set(move.ref, move.new)
    if (landed.length > 0) this.landed.push(landed)
    this.remember(push, answers, seen)
    if (push.isAtomic && landed.length > 0 && landed.length < push.moves.length)
      this.faults.push(
        `half of an atomic push is there: ${describe(landed)} of ${describe(push.moves)}\n${this.storyOf(push)}`,
      )
    this.count(push, answers, landed.length > 0)
  }

  private remember(
    push: Push,
    answers: ReadonlyMap<string, Answer>,
    seen: ReadonlyMap<string, string>,
  ): void {
    for (const move of push.moves) {
      const chapter = `  ${describe([move])}: ${answerTo(answers, move)}, then ${seen.get(move.ref) ?? NONE}`
      this.stories.set(move.ref, [...(this.stories.get(move.ref) ?? []), chapter].slice(-CHAPTERS_MAX))
    }
  }

  /** The recent history of the refs of a push: a fault often began earlier. */
  private storyOf({ moves }: Push): string {
    return moves.flatMap(({ ref }) => this.stories.get(ref) ?? []).join('\n')
  }

  private hasLanded(move: Move, answer: Answer, seen: string): boolean {
    if (seen !== move.new && seen !== move.old)
      this.faults.push(`${move.ref} is ${seen}, which is neither side of ${describe([move])}`)
    if (answer === 'acknowledged' && seen !== move.new)
      this.faults.push(`acknowledged, but another node has ${seen}: ${describe([move])}`)
    if (answer === 'refused' && seen !== move.old) this.faults.push(`refused, but done: ${describe([move])}`)
    // An acknowledged move must be there, whatever was seen.
    return answer === 'acknowledged' || seen === move.new
  }

  private count(push: Push, answers: ReadonlyMap<string, Answer>, isLanded: boolean): void {
    const given = push.moves.map((move) => answerTo(answers, move))
    this.counts.pushes += 1
    if (given.includes('unknown')) {
      this.counts.unknown += 1
      if (isLanded) this.counts.landedUnknown += 1
    } else this.counts[given.includes('acknowledged') ? 'acknowledged' : 'refused'] += 1
  }

  /** Compares the evidence with the required state. Empty when nothing is wrong. */
  check(evidence: Evidence): string[] {
    return [
      ...this.faults,
      ...this.checkRefs(evidence.refs),
      ...this.checkEvents(evidence.events),
      ...checkCounters(evidence),
    ]
  }

  checkRefs(refs: ReadonlyMap<string, string>): string[] {
    const names = new Set([...this.values.keys(), ...refs.keys()])
    return [...names].flatMap((name) => {
      const expected = this.value(name)
      const found = refs.get(name) ?? NONE
      return expected === found ? [] : [`${name} must be ${expected} and is ${found}`]
    })
  }

  /** Each push that moved anything has one event, with all its moves and nothing else. */
  private checkEvents(events: Evidence['events']): string[] {
    return differences(this.landed.map(describe), events.map(describe))
  }
}

function checkCounters(evidence: Evidence): string[] {
  return (['branches', 'tags'] as const).flatMap((what) => {
    const counted = [...evidence.refs.keys()].filter((name) => name.startsWith(COUNTED[what])).length
    const said = evidence[what]
    return counted === said ? [] : [`the counter says ${said} ${what}, and there are ${counted}`]
  })
}

function answerTo(answers: ReadonlyMap<string, Answer>, move: Move): Answer {
  return answers.get(move.ref) ?? 'unknown'
}

function describe(moves: readonly Move[]): string {
  const lines = moves.map((move) => `${move.ref} ${move.old} → ${move.new}`)
  return lines.sort().join(', ')
}
