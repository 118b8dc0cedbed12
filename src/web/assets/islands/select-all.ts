/** Selects all rows of a list, and counts the selected ones. */
addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return
  const list = target.form
  const boxes = [...(list?.querySelectorAll<HTMLInputElement>('[data-select]') ?? [])]
  const all = list?.querySelector<HTMLInputElement>('[data-select-all]')
  const count = list?.querySelector<HTMLElement>('[data-selected]')
  if (!all || !count) return
  if (target === all) for (const box of boxes) box.checked = all.checked
  const selected = boxes.filter(({ checked }) => checked).length
  all.checked = selected === boxes.length
  all.indeterminate = selected > 0 && selected < boxes.length
  count.textContent = (count.dataset.selected ?? '').replace('{count}', `${selected}`)
})
