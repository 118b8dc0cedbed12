/**
 * Conflicts of a pull request: editors, steps between conflicts, and which files are resolved. Without this script the
 * text fields are sent as they are.
 */
import type { Writing } from './conflict-editor.ts'

const BEGIN = /^<{7} /gm
const END = /^>{7} /gm
const MIDDLE = /^={7}$/gm

interface Conflicting {
  readonly box: HTMLDetailsElement
  readonly area: HTMLTextAreaElement
  readonly mark: HTMLButtonElement
  /** Lines of seven equals signs outside of conflicts. */
  readonly headings: number
  writing: Writing
  isResolved: boolean
}

const commit = document.querySelector<HTMLButtonElement>('form.conflicts button.primary')
const files: Conflicting[] = []

function attach(box: HTMLDetailsElement): void {
  const area = box.querySelector('textarea')
  const mark = box.querySelector<HTMLButtonElement>('[data-mark]')
  if (!area || !mark) return
  const text = area.defaultValue
  const headings = count(text, MIDDLE) - count(text, BEGIN)
  const file = { box, area, mark, headings, writing: plain(area), isResolved: false }
  files.push(file)
  area.addEventListener('input', () => renew(file))
  mark.addEventListener('click', () => resolve(file))
  for (const button of box.querySelectorAll<HTMLButtonElement>('[data-step]'))
    button.addEventListener('click', () => step(file, Number(button.dataset.step)))
  renew(file)
  if (box.open) load(file)
  else box.addEventListener('toggle', () => load(file), { once: true })
}

function load(file: Conflicting): void {
  import('./conflict-editor.ts')
    .then(({ editConflicts }) => editConflicts(file.area))
    .then((writing) => {
      file.writing = writing
    })
    .catch(() => undefined)
}

/** The text field itself. */
function plain(area: HTMLTextAreaElement): Writing {
  return {
    text: () => area.value,
    position: () => area.selectionStart,
    go(to) {
      area.focus()
      area.setSelectionRange(to, to)
    },
  }
}

function renew(file: Conflicting): void {
  const text = file.writing.text()
  const isLeft = count(text, BEGIN) > 0 || count(text, END) > 0 || count(text, MIDDLE) > file.headings
  file.mark.disabled = isLeft
  tell(file, file.isResolved && !isLeft)
}

function tell(file: Conflicting, isResolved: boolean): void {
  file.isResolved = isResolved
  for (const sign of file.box.querySelectorAll<HTMLElement>('[data-resolved], [data-left]'))
    sign.hidden = 'resolved' in sign.dataset !== isResolved
  if (commit) commit.disabled = !files.every((it) => it.isResolved)
}

function resolve(file: Conflicting): void {
  tell(file, true)
  file.box.open = false
  const next = files.find((it) => !it.isResolved)
  if (next) next.box.open = true
  const target = next ? next.box.querySelector('summary') : commit
  target?.focus()
}

/** From the cursor, and around the ends of the text. */
function step({ writing }: Conflicting, by: number): void {
  const all = [...writing.text().matchAll(BEGIN)].map(({ index }) => index)
  const at = writing.position()
  const to = by > 0 ? (all.find((it) => it > at) ?? all[0]) : (all.findLast((it) => it < at) ?? all.at(-1))
  if (to !== undefined) writing.go(to)
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function start(): void {
  for (const box of document.querySelectorAll<HTMLDetailsElement>('details[data-conflict]')) attach(box)
}

if (document.readyState === 'complete') start()
else addEventListener('load', start, { once: true })
