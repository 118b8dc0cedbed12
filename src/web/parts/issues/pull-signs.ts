/** What a list says of a pull request beyond what it says of an issue: reviews, checks, size, and whether the reader is next. */
import { findAsked } from '#domains/issues'
import { findListedPulls, type ListedPull } from '#domains/pulls'
import { findTurns, type Turn } from '#domains/reviews'
import { loadStates, type State } from '#domains/statuses'
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { Issue } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { pullWords as words } from '../../words/en/pulls.ts'
import { changes, pill, stateMark, type Tone } from '../basics.ts'
import { checkIcon } from '../runs/checks.ts'

interface Signs {
  /** Of one that is over nobody waits for a review. */
  readonly turn: Turn | undefined
  readonly isYours: boolean
  readonly checks: State | undefined
  readonly size: { readonly additions: number; readonly deletions: number } | undefined
}

/** By number of the issue. */
export type PullSigns = ReadonlyMap<number, Signs>

/** Four queries, however many there are. */
export async function loadPullSigns({ ctx }: PageVisit, issues: readonly Issue[]): Promise<PullSigns> {
  const ids = issues.map(({ id }) => id)
  const [pulls, turns, asked] = await Promise.all([
    findListedPulls(ctx, ids),
    findTurns(ctx, ids),
    findAsked(ctx, ids),
  ])
  const stateOf = await loadStates(ctx.db, pulls.map(commitOf))
  const shown = new Map(issues.map((issue) => [issue.id, issue]))
  return new Map(
    pulls.map((pull) => {
      const { issue_id: id, additions, deletions } = pull
      const issue = shown.get(id)
      const turn = issue?.state === 'open' ? turns.get(id) : undefined
      const isOwn = ctx.actor !== null && issue?.user.id === ctx.actor.id
      return [
        id,
        {
          turn,
          isYours: asked.has(id) || (isOwn && turn === 'changes'),
          checks: stateOf(commitOf(pull)),
          size: additions === null || deletions === null ? undefined : { additions, deletions },
        },
      ]
    }),
  )
}

function commitOf({ repository_id, head_oid }: ListedPull) {
  return { repositoryId: repository_id, oid: head_oid }
}

const TURNS: Readonly<Record<Turn, readonly [string, Tone]>> = {
  approved: ['user-check', 'good'],
  changes: ['user-x', 'bad'],
  waiting: ['clock', 'warn'],
}

/** Each has its place, so that one can look down a list. */
export function pullSigns(signs: PullSigns): (issue: Issue) => Html {
  return ({ id, number, repository }) => {
    const it = signs.get(id)
    if (it === undefined) return nothing
    const { turn, isYours, checks, size } = it
    const checked =
      checks !== undefined && html`<a href="${links.merging(repository, number)}">${checkIcon(checks)}</a>`
    return html`<div class="pull-signs">${isYours && pill(words.yourTurn, 'warn')}<span>${size && changes(size.additions, size.deletions)}</span><span>${turn && turnIcon(turn)}</span><span>${checked}</span></div>`
  }
}

function turnIcon(turn: Turn): Html {
  const [name, tone] = TURNS[turn]
  return stateMark(name, tone, words.turns[turn])
}
