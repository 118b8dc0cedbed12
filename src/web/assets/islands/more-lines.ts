/** Expands hidden lines of a diff: all of them, or a few after the hunk above or before the hunk below. */
import { fetchRegion } from './swap.ts'

/** As the labels of the buttons say. */
const STEP = 20

interface Numbers {
  readonly old: number
  readonly now: number
}

/** All lines of a file by the address that shows them, fetched once. */
const asked = new Map<string, Promise<HTMLElement[]>>()

async function fetchLines(address: string): Promise<HTMLElement[]> {
  const whole = await fetchRegion(address, 'whole')
  const lines = [...(whole?.querySelectorAll<HTMLElement>('span[data-l]') ?? [])]
  // Not part of a hunk.
  for (const line of lines) line.classList.add('far')
  return lines
}

export async function showMore(
  link: HTMLAnchorElement,
  way: string,
  numbersOf: (line: HTMLElement) => Numbers,
): Promise<void> {
  const gap = link.closest('p')
  const address = link.href
  const found = asked.get(address) ?? fetchLines(address)
  asked.set(address, found)
  const lines = await found
  // If fetching fails, navigate to the address.
  if (gap === null || lines.length === 0) return location.assign(address)
  const before = lineBeside(gap, 'previousElementSibling')
  const after = lineBeside(gap, 'nextElementSibling')
  const from = before ? numbersOf(before) : { old: 0, now: 0 }
  const to = after ? numbersOf(after) : { old: 0, now: 0 }
  const missing = lines.filter((it) => {
    const { old, now } = numbersOf(it)
    return (
      old > from.old && now > from.now && (to.old === 0 || old < to.old) && (to.now === 0 || now < to.now)
    )
  })
  const isAll = way === '' || missing.length <= STEP
  if (isAll) gap.before(...missing)
  else if (way === 'down') gap.before(...missing.slice(0, STEP))
  else gap.after(...missing.slice(-STEP))
  if (!isAll) return
  const file = gap.closest<HTMLElement>('.diff-file')
  const hadFocus = gap.contains(document.activeElement)
  gap.remove()
  if (hadFocus) file?.querySelector<HTMLElement>('summary')?.focus({ preventScroll: true })
}

/** The nearest line before or after; changes are nested in groups. */
function lineBeside(
  gap: Element,
  side: 'previousElementSibling' | 'nextElementSibling',
): HTMLElement | undefined {
  for (let at = gap[side]; at !== null; at = at[side]) {
    // Comments may hold lines of a suggested change.
    const lines = at.matches('[data-l]') ? [at] : [...at.querySelectorAll('[data-l]:not(aside *)')]
    const found = side === 'nextElementSibling' ? lines[0] : lines.at(-1)
    if (found) return found as HTMLElement
  }
  return undefined
}
