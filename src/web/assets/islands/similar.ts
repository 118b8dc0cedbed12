/** While a title is typed, lists similar issues below it. */

const WAIT_MS = 300
let turn = 0

async function look({ value }: HTMLInputElement): Promise<void> {
  const mine = ++turn
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  if (mine !== turn) return
  const { fetchRegion, swap } = await import('./swap.ts')
  const fresh = await fetchRegion(`${location.pathname}?similar=${encodeURIComponent(value)}`, 'similar')
  if (mine === turn && fresh !== undefined) swap(fresh)
}

const title = document.querySelector<HTMLInputElement>('#field-title')
title?.addEventListener('input', () => {
  look(title).catch(() => undefined)
})
