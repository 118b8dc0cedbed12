/** Follows the log of a running job: fetches new lines and adds them to their steps. */
interface Followed {
  readonly isDone: boolean
  readonly sections: readonly {
    readonly key: string
    readonly name: string
    readonly state: string
    /** Range of line numbers. */
    readonly first: number
    readonly end: number
  }[]
  readonly lines: readonly {
    readonly number: number
    readonly at: string
    readonly section: string
    readonly runs: readonly { readonly text: string; readonly class: string }[]
  }[]
}

const PAUSE_MS = 1_000
const PATIENCE_MS = 10_000
const NEAR_PX = 120
const AFTER = 'step-after'

const log = document.querySelector<HTMLElement>('[data-log]')
if (log !== null) follow(log, Number(log.dataset.next ?? 0)).catch(() => undefined)

async function follow(log: HTMLElement, from: number): Promise<void> {
  let next = from
  let isDone = false
  while (!isDone) {
    const told = await ask(`${log.dataset.log}?from=${next}&language=${document.documentElement.lang}`)
    if (told !== undefined) write(log, told)
    next = (told?.lines.at(-1)?.number ?? next - 1) + 1
    isDone = told?.isDone === true
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  // The server renders the final state. Only the region is replaced: a reload would cancel a link that is being
  // followed.
  const { fetchRegion, swap } = await import('./swap.ts')
  const fresh = await fetchRegion(location.href, 'job')
  if (fresh !== undefined) swap(fresh)
}

function write(log: HTMLElement, { sections, lines }: Followed): void {
  const isAtEnd = innerHeight + scrollY >= document.body.scrollHeight - NEAR_PX
  if (lines.length > 0) log.querySelector('[data-empty]')?.remove()
  const hasMore = sections.map((section) => show(log, section)).includes(true)
  if (hasMore || document.getElementById(AFTER) !== null) settle(log, sections)
  for (const line of lines) add(log, line)
  const after = document.getElementById(AFTER)
  if (after?.querySelector('[data-l]') === null) after.remove()
  // Do not scroll away from a reader who is further up.
  if (isAtEnd && lines.length > 0) scrollTo(0, document.body.scrollHeight)
}

async function ask(address: string): Promise<Followed | undefined> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) })
    return answer.ok ? ((await answer.json()) as Followed) : undefined
  } catch {
    return undefined
  }
}

/** Runners send lines before they report the step: until then lines stand outside of all steps. */
function settle(log: HTMLElement, sections: Followed['sections']): void {
  for (const line of log.querySelectorAll<HTMLElement>(`:is(#step-before, #${AFTER}) [data-l]`)) {
    const number = Number(line.dataset.l) - 1
    const home = sections.find(({ first, end }) => number >= first && number < end)
    if (home !== undefined && line.closest('.log-step')?.id !== home.key) linesOf(log, home.key)?.append(line)
  }
}

function linesOf(log: HTMLElement, key: string): Element | null {
  return log.querySelector(`#${CSS.escape(key)} .log-lines`)
}

/** Adds a step; true if it was new. */
function show(log: HTMLElement, { key, name, state }: Followed['sections'][number]): boolean {
  if (document.getElementById(key) !== null) return false
  const step = document.createElement('details')
  step.id = key
  step.className = 'log-step'
  step.open = true
  const summary = document.createElement('summary')
  const title = document.createElement('span')
  title.className = 'grow'
  title.textContent = name
  const told = document.createElement('span')
  told.className = 'quiet-text'
  told.textContent = state
  summary.append(title, told)
  const lines = document.createElement('div')
  lines.className = 'log-lines'
  step.append(summary, lines)
  log.append(step)
  return true
}

function add(log: HTMLElement, line: Followed['lines'][number]): void {
  const id = `L${line.number + 1}`
  if (document.getElementById(id) !== null) return
  const element = document.createElement('span')
  element.id = id
  element.dataset.l = String(line.number + 1)
  element.title = line.at
  for (const run of line.runs) {
    const part = document.createElement('b')
    part.className = run.class === '' ? 'plain' : run.class
    part.textContent = run.text
    element.append(part)
  }
  element.append('\n')
  linesOf(log, line.section)?.append(element)
}

// Makes this file a module, so that its names are not global.
export {}
