/** Lines of a file: highlights the range in the address, selects a range with Shift, and copies without numbers. */

const RANGE = /^#L(\d+)(?:-L(\d+))?$/

function rangeOf(hash: string): [first: number, last: number] | undefined {
  const [, first, last = first] = RANGE.exec(hash) ?? []
  if (first === undefined) return undefined
  const ends = [Number(first), Number(last)] as const
  return [Math.min(...ends), Math.max(...ends)]
}

function mark(isScrolling: boolean): void {
  for (const line of document.querySelectorAll('.l.marked')) line.classList.remove('marked')
  const [first, last] = rangeOf(location.hash) ?? [1, 0]
  for (let n = first; n <= Math.min(last, first + 20_000); n++) {
    const line = document.getElementById(`L${n}`)
    line?.classList.add('marked')
    if (n === first && isScrolling) line?.scrollIntoView({ block: 'center' })
  }
}

/** A click on the line number, which is not an element but the padding of its line. */
function choose(event: MouseEvent): void {
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.matches('.l')) return
  const { left } = target.getBoundingClientRect()
  if (event.clientX - left > Number.parseFloat(getComputedStyle(target).paddingLeft) - 8) return
  const [from] = (event.shiftKey && rangeOf(location.hash)) || []
  const to = Number(target.id.slice(1))
  const [first, last] = from === undefined ? [to, to] : [Math.min(from, to), Math.max(from, to)]
  history.replaceState(null, '', first === last ? `#L${first}` : `#L${first}-L${last}`)
  mark(false)
}

for (const button of document.querySelectorAll<HTMLElement>('[data-does="copy-lines"]')) {
  button.addEventListener('click', () => {
    const text = [...document.querySelectorAll('.l')].map(({ textContent }) => textContent).join('')
    navigator.clipboard.writeText(text).then(
      () => button.setAttribute('aria-pressed', 'true'),
      () => undefined,
    )
  })
}
addEventListener('click', choose)
addEventListener('hashchange', () => mark(false))
mark(location.hash.includes('-'))
