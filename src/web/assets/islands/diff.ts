/**
 * Interactivity of diffs: jump to lines of the address, keyboard navigation between files, filter of the tree; in
 * reviews, comments on lines and marking files as viewed. Everything else is links and forms.
 */

/** Comments may hold a suggested change, whose lines are others. */
const LINE = '.diff-lines [data-l]:not(aside *)'

const ignore = () => undefined
const files = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.diff-file')]

/** `#diff-{sha1 of the path}R12`, or `…R12-R15`. Lines have no ids, because there are many of them. */
function goToLine(): void {
  const [, anchor = '', side = '', first = '', last = first] =
    /^#(diff-[0-9a-f]{40})([RL])(\d+)(?:-[RL](\d+))?$/.exec(location.hash) ?? []
  const file = document.getElementById(anchor)
  const end = file && findLine(file, side, Number(last))
  const begin = file && findLine(file, side, Number(first))
  if (!end) return
  select(end)
  if (begin) pickTo(end, begin)
}

function findLine(file: HTMLElement, side: string, line: number): HTMLElement | undefined {
  file.querySelector('details')?.setAttribute('open', '')
  return [...file.querySelectorAll<HTMLElement>(LINE)].find((it) => {
    const place = placeOf(it)
    return (side === 'R' ? place.now : place.old) === line
  })
}

/** Line numbers on both sides; 0 if the line is not on a side. */
function placeOf(line: HTMLElement): { old: number; now: number } {
  const [first = 0, second = 0] = (line.dataset.l?.match(/\d+/g) ?? []).map(Number)
  return line.localName === 'ins' ? { old: 0, now: first } : { old: first, now: second }
}

function select(line: HTMLElement): void {
  pickTo(line, line)
  line.scrollIntoView({ block: 'center' })
  offer(line)
  // So that Enter opens the form, whatever had the focus before.
  plus.focus({ preventScroll: true })
}

function currentLine(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.diff-lines .current')
}

/** At the top of the window. */
function currentFile(): number {
  const at = files().findIndex((it) => it.getBoundingClientRect().bottom > 60)
  return at === -1 ? files().length - 1 : at
}

function goToFile(index: number): void {
  const all = files()
  const file = all[Math.max(0, Math.min(index, all.length - 1))]
  file?.scrollIntoView({ block: 'start' })
  file?.querySelector<HTMLElement>('summary')?.focus({ preventScroll: true })
}

/** Jumps to the next or previous group of changes. */
function goToChange(step: 1 | -1): void {
  const groups = [
    ...document.querySelectorAll<HTMLElement>('.diff-file details[open] .diff-lines > div:not(aside *)'),
  ]
  const now = currentLine()?.closest('.diff-lines > div')
  const at = now
    ? groups.indexOf(now as HTMLElement)
    : groups.findIndex((it) => it.getBoundingClientRect().top > 60) - (step === 1 ? 1 : 0)
  const line = groups[at + step]?.querySelector<HTMLElement>(LINE)
  if (line) select(line)
}

const KEYS: Readonly<Record<string, () => void>> = {
  j: () => goToFile(currentFile() + 1),
  k: () => goToFile(currentFile() - 1),
  n: () => goToChange(1),
  p: () => goToChange(-1),
  v: viewCurrent,
  Enter: writeBelow,
}
/** With Shift. */
const ARROWS: typeof KEYS = { ArrowDown: () => extend(1), ArrowUp: () => extend(-1) }

function hearKeys(event: KeyboardEvent): void {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem('keys') === 'off') return
  if (target instanceof HTMLElement && target.matches('input, textarea, select')) return
  if (key === 'Enter' && (target as Element).matches('a, button, summary')) return
  const keys = event.shiftKey && picked ? ARROWS : KEYS
  const act = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (act === undefined) return
  event.preventDefault()
  act()
}

function filterTree(): void {
  const field = document.querySelector<HTMLInputElement>('#file-filter')
  if (!field) return
  field.addEventListener('input', () => {
    const wanted = field.value.toLowerCase()
    for (const row of document.querySelectorAll<HTMLElement>('.diff-tree li')) {
      const path = row.querySelector('a')?.title.toLowerCase()
      row.hidden = path === undefined ? wanted !== '' : !path.includes(wanted)
    }
  })
}

/** Lines that a comment is about: in the order of the page, all on one side. */
interface Picked {
  readonly side: 'R' | 'L'
  readonly lines: readonly HTMLElement[]
}

const template = document.querySelector<HTMLTemplateElement>('#remark-template')
/** As many as the server accepts. */
const PICKED_MAX = 501
let picked: { readonly from: HTMLElement; readonly to: HTMLElement } | undefined
let isPicking = false

/** Lines as far as they are in one hunk. Lines that were expanded are in none. */
function linesOf({ from, to }: NonNullable<typeof picked>): Picked {
  const box = from.closest('.diff-lines')
  const all = [...(box?.querySelectorAll<HTMLElement>(`${LINE}, :scope > p`) ?? [])]
  const [a, b] = [all.indexOf(from), all.indexOf(to)]
  const walked = b === -1 ? [from] : b < a ? all.slice(b, a + 1).reverse() : all.slice(a, b + 1)
  const end = walked.findIndex((it, i) => i > 0 && it.matches('p, .far'))
  const near = walked.slice(0, Math.min(end === -1 ? walked.length : end, PICKED_MAX))
  const has = (name: string) => near.some(({ localName }) => localName === name)
  const side = has('del') && !has('ins') ? 'L' : 'R'
  const lines = near.filter((it) => numberOn(side, it) > 0)
  return { side, lines: b < a ? lines.reverse() : lines }
}

function numberOn(side: string, line: HTMLElement): number {
  return placeOf(line)[side === 'R' ? 'now' : 'old']
}

/** The last of the lines is the current one. */
function pickTo(to: HTMLElement, from = picked?.from ?? to): void {
  picked = { from, to }
  for (const it of document.querySelectorAll('.diff-lines :is(.current, .picked)'))
    it.classList.remove('current', 'picked')
  const { lines } = linesOf(picked)
  lines.at(-1)?.classList.add('current')
  if (lines.length > 1) for (const it of lines) it.classList.add('picked')
}

/** One button for all lines: it goes along with the mouse and with the current line. */
const plus = document.createElement('button')
plus.type = 'button'
plus.className = 'line-add'
plus.textContent = '+'
plus.ariaLabel = template?.dataset.add ?? ''
let offered: HTMLElement | undefined

function offer(line: HTMLElement): void {
  const box = line.closest<HTMLElement>('.diff-lines')
  if (!template || !box) return
  const [at, around] = [line.getBoundingClientRect(), box.getBoundingClientRect()]
  offered = line
  plus.style.top = `${at.top - around.top}px`
  plus.style.left = `${at.left - around.left + numbersWidth(line) - 23}px`
  if (plus.parentElement !== box) box.append(plus)
}

function numbersWidth(line: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(line).paddingLeft)
}

/** Shows the comment form below the picked lines. One at a time; unsent text is kept as a draft. */
function writeBelow(): void {
  if (!template || !picked) return
  const { side, lines } = linesOf(picked)
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return
  document.querySelector('#remark-new')?.closest('aside')?.remove()
  const aside = document.createElement('aside')
  aside.append(template.content.cloneNode(true))
  const path = last.closest<HTMLElement>('.diff-file')?.dataset.path ?? ''
  const line = String(numberOn(side, last))
  const start = first === last ? '' : String(numberOn(side, first))
  for (const [name, value] of Object.entries({ path, side, start, line })) {
    const field = aside.querySelector<HTMLInputElement>(`[name="${name}"]`)
    if (field) field.value = value
  }
  const title = aside.querySelector<HTMLElement>('[data-lines]')
  const text = start === '' ? title?.dataset.line : title?.dataset.lines
  if (title && text) title.textContent = text.replace('{start}', start).replace('{line}', line)
  last.after(aside)
  const suggest = aside.querySelector<HTMLElement>('[data-does="suggest"]')
  if (suggest) suggest.hidden = side === 'L'
  aside.querySelector('textarea')?.focus()
}

function lineAt({ target }: Event): HTMLElement | undefined {
  if (target === plus) return offered
  return (target as Element).closest<HTMLElement>(LINE) ?? undefined
}

/** On the button or the line numbers; elsewhere the mouse selects text. */
function beginPicking(event: MouseEvent): void {
  const line = lineAt(event)
  if (!template || !line || event.button !== 0) return
  const isOnNumbers = event.clientX - line.getBoundingClientRect().left < numbersWidth(line)
  if (event.target !== plus && !isOnNumbers) return
  // Neither selects text nor moves the focus.
  event.preventDefault()
  isPicking = true
  pickTo(line, (event.shiftKey && picked?.from) || line)
}

function goOnPicking(event: MouseEvent): void {
  const line = lineAt(event)
  if (!line || event.target === plus) return
  offer(line)
  if (isPicking) pickTo(line)
}

function endPicking(): void {
  if (isPicking) writeBelow()
  isPicking = false
}

/** Shift and an arrow key: the next line too. */
function extend(step: 1 | -1): void {
  const { to } = picked ?? {}
  const lines = [...(to?.closest('.diff-lines')?.querySelectorAll<HTMLElement>(LINE) ?? [])]
  const next = to && lines[lines.indexOf(to) + step]
  if (!next) return
  pickTo(next)
  offer(next)
}

/** Loads more lines in place, unless the link is opened in another tab. */
function hearMore(event: MouseEvent): void {
  const pressed = (event.target as Element).closest<HTMLElement>('[data-more]')
  const link = pressed?.parentElement?.querySelector<HTMLAnchorElement>('a[data-more]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  import('./more-lines.ts')
    .then(({ showMore }) => showMore(link, pressed?.dataset.more ?? '', placeOf))
    .catch(() => location.assign(link.href))
}

function hearClicks(event: MouseEvent): void {
  const target = event.target as Element
  // By keyboard: the mouse has opened the form when its button was released.
  if (target === plus && event.detail === 0) writeBelow()
  const suggests = target.closest('[data-does="suggest"]')
  if (suggests) import('./suggest.ts').then((it) => it.suggest(suggests, numberOn), ignore)
  if (target.closest('[data-does="cancel"]')?.closest('#remark-new')) {
    event.preventDefault()
    target.closest('aside')?.remove()
  }
}

function hearSubmits(event: SubmitEvent): void {
  const button = event.submitter
  if (!(button instanceof HTMLButtonElement) || button.name !== 'file') return
  event.preventDefault()
  import('./viewed.ts').then((it) => it.markViewed(button)).catch(() => location.reload())
}

/** Suggestions that are committed together. */
function hearChanges({ target }: Event): void {
  // Not the id of its form: `form.id` is the field of that name.
  if (target instanceof HTMLInputElement && target.getAttribute('form') === 'batch-form')
    import('./suggest.ts').then((it) => it.count(target.form), ignore)
}

function focusInside({ target }: Event): void {
  ;(target as Element).querySelector('textarea')?.focus()
}

function viewCurrent(): void {
  const at = currentFile()
  files()[at]?.querySelector<HTMLButtonElement>('[name="file"]')?.click()
  goToFile(at + 1)
}

filterTree()
goToLine()
document.querySelector('#finish')?.addEventListener('toggle', focusInside)
addEventListener('hashchange', goToLine)
addEventListener('keydown', hearKeys)
addEventListener('mousedown', beginPicking)
addEventListener('mouseover', goOnPicking)
addEventListener('mouseup', endPicking)
addEventListener('click', hearClicks)
addEventListener('click', hearMore)
addEventListener('submit', hearSubmits)
addEventListener('change', hearChanges)

export {}
