/** Puts the lines that a comment is about into its text, as a suggested change. */

/** `numberOn`: the number of a line on a side, or 0. */
export function suggest(button: Element, numberOn: (side: string, line: HTMLElement) => number): void {
  const form = button.closest('form')
  const area = form?.querySelector('textarea')
  if (!form || !area) return
  const given = new FormData(form)
  const last = Number(given.get('line'))
  const first = Number(given.get('start')) || last
  const all = form
    .closest('.diff-file')
    ?.querySelectorAll<HTMLElement>('.diff-lines [data-l]:not(.suggested *)')
  const lines = [...(all ?? [])].filter((it) => {
    const number = numberOn('R', it)
    return number >= first && number <= last
  })
  const text = lines.map(textOf).join('\n')
  // Longer than any fence in the lines.
  const longest = Math.max(2, ...[...text.matchAll(/^`+/gm)].map(([it]) => it.length))
  const fence = '`'.repeat(longest + 1)
  const isBlank = area.value.trim() === ''
  const opening = `${isBlank ? '' : `${area.value.trimEnd()}\n\n`}${fence}suggestion\n`
  area.value = `${opening}${text}\n${fence}`
  area.dispatchEvent(new Event('input', { bubbles: true }))
  area.focus()
  area.setSelectionRange(opening.length, opening.length + text.length)
}

/** Without git's remark on a missing line end, and without the carriage return that is shown as a line end. */
function textOf(line: HTMLElement): string {
  const copy = line.cloneNode(true) as HTMLElement
  copy.querySelector('i')?.remove()
  return (copy.textContent ?? '').replace(/\r?\n$/, '')
}

/** The button says how many suggestions it commits. */
export function count(form: HTMLFormElement | null): void {
  const button = form?.querySelector<HTMLElement>('[data-batch]')
  const boxes = [...(form?.elements ?? [])].filter((it) => it instanceof HTMLInputElement && it.checked)
  form?.classList.toggle('some', boxes.length > 0)
  if (button) button.textContent = (button.dataset.batch ?? '').replace('{n}', String(boxes.length))
}
