/** Commit statuses of a commit. */
import { type Html, html, localPath, nothing } from '#platform/page'
import type { CombinedStatus, CommitStatus } from '../../gen/contract.ts'
import { checkWords as words } from '../../words/diff.ts'
import { icon, outsideLink, pill, stateMark, type Tone } from '../basics.ts'

type State = CommitStatus['status']

const TONES: Readonly<Record<State, Tone>> = {
  success: 'good',
  failure: 'bad',
  error: 'bad',
  warning: 'warn',
  pending: 'warn',
  skipped: 'plain',
}
const ICONS: Readonly<Record<State, string>> = {
  success: 'circle-check',
  failure: 'circle-x',
  error: 'circle-x',
  warning: 'triangle-alert',
  pending: 'circle-dashed',
  skipped: 'circle-slash',
}

export function checkState(state: State): Html {
  return pill(words[state], TONES[state], ICONS[state])
}

/** The icon alone. */
export function checkIcon(state: State): Html {
  return stateMark(ICONS[state], TONES[state], words.all(words[state]))
}

/** Collapsible list of statuses; nothing if there are none. */
export function checksLine(status: CombinedStatus | undefined): Html {
  if (status === undefined || status.statuses.length === 0) return nothing
  return html`<details class="box checks"><summary class="box-head">${checkState(status.state)} ${words.checks(status.total_count)}</summary><ul class="rows">${status.statuses.map(
    one,
  )}</ul></details>`
}

function one({ status, context, description, target_url }: CommitStatus): Html {
  return html`<li class="row">${checkState(status)}<div class="grow"><strong>${context}</strong> <span class="quiet-text">${description}</span></div>${
    target_url !== '' && html`<span>${icon('external-link')} ${address(target_url)}</span>`
  }</li>`
}

/** Targets of our own runs are paths. */
function address(to: string): Html {
  const path = localPath(to)
  return path === undefined ? outsideLink(to, words.details) : html`<a href="${path}">${words.details}</a>`
}
