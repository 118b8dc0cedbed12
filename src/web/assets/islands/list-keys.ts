/** Keys that move in a list. */

/** Rows of a list: `j` and `k` move, `o` opens in another tab, `x` selects; some rows have shortcuts of their own. */
export function moveInList(event: KeyboardEvent): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const step = { j: 1, k: -1 }[event.key]
  const row = rows[step === undefined ? at : Math.max(0, Math.min(rows.length - 1, at + step))]
  if (row === undefined) return
  const link = row.querySelector<HTMLAnchorElement>('[data-open]')
  if (step !== undefined) link?.focus()
  else if (event.key === 'o' && link !== null) open(link.href, '_blank', 'noopener')
  else if (event.key === 'x') row.querySelector<HTMLInputElement>('[data-select]')?.click()
  else row.querySelector<HTMLButtonElement>(`[data-act="${CSS.escape(event.key)}"] button`)?.click()
}
