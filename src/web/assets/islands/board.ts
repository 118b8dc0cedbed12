/** Moves cards by dragging or with Shift and the arrow keys. Sends the same form as without JavaScript. */
let dragged: HTMLElement | null = null

function boardOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest('[data-board]') : null
}

function cardsOf(column: Element): HTMLElement[] {
  return [...column.querySelectorAll<HTMLElement>('[data-card]')]
}

/** Moves a card to a position in a column, and shows the result. */
async function move(card: HTMLElement, column: HTMLElement, position: number): Promise<void> {
  const id = card.dataset.card ?? ''
  const body = new URLSearchParams({
    form: 'move',
    issue: id,
    column: column.dataset.column ?? '',
    position: `${position}`,
  })
  const { fetchRegion, swap } = await import('./swap.ts')
  const fresh = await fetchRegion(location.pathname, 'board', { method: 'POST', body })
  if (fresh === undefined) return location.reload()
  swap(fresh)
  document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"] [data-open]`)?.focus()
}

/** Before the first card whose middle is below the pointer. */
function placeIn(column: Element, y: number): number {
  const others = cardsOf(column).filter((it) => it !== dragged)
  const at = others.findIndex((it) => {
    const { top, height } = it.getBoundingClientRect()
    return y < top + height / 2
  })
  return at < 0 ? others.length : at
}

addEventListener('dragstart', (event) => {
  dragged = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-card]') : null
  dragged?.classList.add('dragged')
})
addEventListener('dragend', () => {
  dragged?.classList.remove('dragged')
  dragged = null
})
addEventListener('dragover', (event) => {
  if (dragged !== null && boardOf(event.target) !== null) event.preventDefault()
})
addEventListener('drop', (event) => {
  const column = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null
  if (dragged === null || column === null) return
  event.preventDefault()
  const position = placeIn(column, event.clientY)
  column
    .querySelector('.cards')
    ?.insertBefore(dragged, cardsOf(column).filter((it) => it !== dragged)[position] ?? null)
  move(dragged, column, position).catch(() => location.reload())
})

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
  const position = step[0] === 0 ? cardsOf(home).indexOf(card) + step[1] : 0
  if (position >= 0) move(card, column, position).catch(() => location.reload())
})
