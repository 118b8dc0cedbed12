/** Moves cards by dragging or with Shift and the arrow keys. Sends the same form as without JavaScript. */
let dragged: HTMLElement | null = null

function boardOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest('[data-board]') : null
}

function cardsOf(column: Element): HTMLElement[] {
  return [...column.querySelectorAll<HTMLElement>('[data-card]')]
}

/** Moves a card before another, or to the end of the column, and shows the result. */
async function move(card: HTMLElement, column: HTMLElement, before: HTMLElement | undefined): Promise<void> {
  const id = card.dataset.card ?? ''
  const body = new URLSearchParams({ form: 'move', issue: id, column: column.dataset.column ?? '' })
  if (before?.dataset.card !== undefined) body.set('before', before.dataset.card)
  const { fetchRegion, swap } = await import('./swap.ts')
  const fresh = await fetchRegion(location.pathname + location.search, 'board', { method: 'POST', body })
  if (fresh === undefined) return location.reload()
  swap(fresh)
  document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"] [data-open]`)?.focus()
}

/** The first card whose middle is below the pointer. */
function cardAt(column: Element, y: number): HTMLElement | undefined {
  return cardsOf(column).find((it) => {
    const { top, height } = it.getBoundingClientRect()
    return it !== dragged && y < top + height / 2
  })
}

/** A line where the card would be put. */
function markPlace(column: Element | null, before?: HTMLElement): void {
  for (const it of document.querySelectorAll('.insert-before, .insert-last'))
    it.classList.remove('insert-before', 'insert-last')
  if (before !== undefined) before.classList.add('insert-before')
  else column?.querySelector('.cards')?.classList.add('insert-last')
}

addEventListener('dragstart', (event) => {
  dragged = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-card]') : null
  dragged?.classList.add('dragged')
})
addEventListener('dragend', () => {
  dragged?.classList.remove('dragged')
  dragged = null
  markPlace(null)
})
addEventListener('dragover', (event) => {
  if (dragged === null || boardOf(event.target) === null) return
  event.preventDefault()
  const column = columnAt(event.target)
  markPlace(column, column === null ? undefined : cardAt(column, event.clientY))
})
addEventListener('drop', (event) => {
  const column = columnAt(event.target)
  if (dragged === null || column === null) return
  event.preventDefault()
  const before = cardAt(column, event.clientY)
  column.querySelector('.cards')?.insertBefore(dragged, before ?? null)
  move(dragged, column, before).catch(() => location.reload())
})

function columnAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

addEventListener('keydown', (event) => {
  const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-card]') : null
  const step = STEPS[event.key]
  const home = card?.closest<HTMLElement>('[data-column]')
  if (!event.shiftKey || !card || !home || step === undefined) return
  event.preventDefault()
  const columns = [...document.querySelectorAll<HTMLElement>('[data-column]')]
  const column = columns[columns.indexOf(home) + step[0]]
  if (column === undefined) return
  const [across, down] = step
  if (across !== 0) return void move(card, column, cardsOf(column)[0]).catch(() => location.reload())
  const others = cardsOf(home).filter((it) => it !== card)
  const at = cardsOf(home).indexOf(card) + down
  if (at >= 0 && at <= others.length) move(card, column, others[at]).catch(() => location.reload())
})
