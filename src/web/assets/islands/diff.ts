/**
 * Interactivity of diffs: jump to lines of the address, keyboard navigation between files, filter of the tree; in
 * reviews, comments on lines and marking files as viewed. Everything else is links and forms.
 */

const files = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.diff-file')]

/** `#diff-{sha1 of the path}R12`. Lines have no ids, because there are many of them. */
function goToLine(): void {
  const [, anchor = '', side = '', line = ''] = /^#(diff-[0-9a-f]{40})([RL])(\d+)$/.exec(location.hash) ?? []
  const file = document.getElementById(anchor)
  const found = file && findLine(file, side, Number(line))
  if (found) select(found)
}

function findLine(file: HTMLElement, side: string, line: number): HTMLElement | undefined {
  file.querySelector('details')?.setAttribute('open', '')
  return [...file.querySelectorAll<HTMLElement>('[data-l]')].find((it) => {
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
  document.querySelector('.diff-lines .current')?.classList.remove('current')
  line.classList.add('current')
  line.scrollIntoView({ block: 'center' })
}

function currentLine(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.diff-lines .current')
}

/** The file at the top of the window. */
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
  const groups = [...document.querySelectorAll<HTMLElement>('.diff-file details[open] .diff-lines > div')]
  const now = currentLine()?.closest('.diff-lines > div')
  const at = now
    ? groups.indexOf(now as HTMLElement)
    : groups.findIndex((it) => it.getBoundingClientRect().top > 60) - (step === 1 ? 1 : 0)
  const line = groups[at + step]?.querySelector<HTMLElement>('[data-l]')
  if (line) select(line)
}

const KEYS: Readonly<Record<string, () => void>> = {
  j: () => goToFile(currentFile() + 1),
  k: () => goToFile(currentFile() - 1),
  n: () => goToChange(1),
  p: () => goToChange(-1),
}

function hearKeys(event: KeyboardEvent): void {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem('keys') === 'off') return
  if (target instanceof HTMLElement && target.matches('input, textarea, select')) return
  const act = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
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

/**
 * Shows the comment form below a line, from the template of the page. One at a time; unsent text is kept as a draft.
 */
function writeBelow(line: HTMLElement): void {
  const template = document.querySelector<HTMLTemplateElement>('#remark-template')
  const file = line.closest<HTMLElement>('.diff-file')
  if (!template || !file) return
  document.querySelector('#remark-new')?.closest('aside')?.remove()
  const { old, now } = placeOf(line)
  const aside = document.createElement('aside')
  aside.append(template.content.cloneNode(true))
  const set = (name: string, value: string) => {
    const field = aside.querySelector<HTMLInputElement>(`[name="${name}"]`)
    if (field) field.value = value
  }
  set('path', file.dataset.path ?? '')
  set('side', now > 0 ? 'R' : 'L')
  set('line', String(now > 0 ? now : old))
  line.after(aside)
  aside.querySelector('textarea')?.focus()
}

/** Only clicks on the line number count, so that the text can be selected. */
function isOnNumbers(line: HTMLElement, event: MouseEvent): boolean {
  const { left } = line.getBoundingClientRect()
  const width = Number.parseFloat(getComputedStyle(line).paddingLeft)
  return event.clientX - left < width && String(getSelection()) === ''
}

/** Loads more lines in place, unless the link is opened in another tab. */
function hearMore(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-more]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  import('./more-lines.ts')
    .then(({ showMore }) => showMore(link, placeOf))
    .catch(() => location.assign(link.href))
}

function hearClicks(event: MouseEvent): void {
  const target = event.target as Element
  const line = target.closest<HTMLElement>('.diff-lines [data-l]')
  if (line && isOnNumbers(line, event)) {
    select(line)
    writeBelow(line)
  }
  if (target.closest('[data-does="cancel"]')?.closest('#remark-new')) {
    event.preventDefault()
    target.closest('aside')?.remove()
  }
}

/** Sends the mark without reloading the page; if that fails, the form is submitted. */
async function markViewed(button: HTMLButtonElement): Promise<void> {
  const file = button.closest<HTMLElement>('.diff-file')
  const [mark, ...rest] = button.value.split(' ')
  const isViewed = mark === '1'
  button.setAttribute('aria-pressed', String(isViewed))
  button.value = [isViewed ? '0' : '1', ...rest].join(' ')
  file?.querySelector('details')?.toggleAttribute('open', !isViewed)
  const body = new URLSearchParams({ form: 'viewed', file: [mark, ...rest].join(' ') })
  const answer = await fetch(button.form?.action ?? location.href, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  if (answer.type !== 'opaqueredirect') location.reload()
}

function hearSubmits(event: SubmitEvent): void {
  const button = event.submitter
  if (!(button instanceof HTMLButtonElement) || button.name !== 'file') return
  event.preventDefault()
  markViewed(button).catch(() => location.reload())
}

function hearReviewKeys(event: KeyboardEvent): void {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem('keys') === 'off') return
  if (target instanceof HTMLElement && target.matches('input, textarea, select')) return
  const line = currentLine()
  if (key === 'Enter' && line && !(target as HTMLElement).matches('a, button, summary')) writeBelow(line)
  else if (key === 'v') {
    const at = currentFile()
    document
      .querySelectorAll<HTMLElement>('.diff-file')
      [at]?.querySelector<HTMLButtonElement>('[name="file"]')
      ?.click()
    goToFile(at + 1)
  } else return
  event.preventDefault()
}

filterTree()
goToLine()
addEventListener('hashchange', goToLine)
addEventListener('keydown', hearKeys)
if (document.querySelector('#remark-template'))
  document.querySelector('.diff-files')?.classList.add('can-comment')
addEventListener('click', hearClicks)
addEventListener('click', hearMore)
addEventListener('submit', hearSubmits)
addEventListener('keydown', hearReviewKeys)

export {}
