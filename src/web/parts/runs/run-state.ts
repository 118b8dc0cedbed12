/** States of runs, jobs and steps: icon and text. */
import { type Html, html } from '#platform/page'
import { runWords as words } from '../../words/runs.ts'
import { icon, type Tone } from '../basics.ts'

interface Stated {
  readonly status: string
  readonly conclusion?: string | undefined
}

const ICONS: Readonly<Record<string, readonly [name: string, tone: Tone]>> = {
  success: ['circle-check', 'good'],
  failure: ['circle-x', 'bad'],
  cancelled: ['circle-slash', 'plain'],
  skipped: ['circle-slash', 'plain'],
  in_progress: ['circle-play', 'ember'],
  blocked: ['circle-dashed', 'warn'],
}
const WAITING = ['circle-dashed', 'plain'] as const

/** The conclusion, or else the status. */
export function stateOf({ status, conclusion }: Stated): string {
  return conclusion === undefined || conclusion === '' ? status : conclusion
}

export function stateIcon(stated: Stated): Html {
  const state = stateOf(stated)
  const [name, tone] = ICONS[state] ?? WAITING
  return html`<span class="state ${tone}">${icon(name, words.states[state] ?? state)}</span>`
}

const MINUTE = 60
const HOUR = 3_600

/** «2 m 5 s». */
export function duration(from: string | null, to: string | null, now: Date): string {
  if (from === null) return ''
  const seconds = Math.max(0, Math.round((Date.parse(to ?? now.toISOString()) - Date.parse(from)) / 1000))
  if (seconds < MINUTE) return `${seconds} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} m ${seconds % MINUTE} s`
  return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} m`
}

/** The name of the file in `path`, which may end with `@` and a ref. */
export function workflowFile({ path }: { readonly path: string }): string {
  return path.split('@')[0]?.split('/').at(-1) ?? ''
}

/** As the workflow is called on the default branch; the name of its file if it is no longer there. */
export function workflowName(
  run: { readonly path: string },
  workflows: readonly { readonly id: string; readonly name: string }[],
): string {
  const file = workflowFile(run)
  return workflows.find(({ id }) => id === file)?.name ?? file
}
