/** Preview of a Markdown text. */
import { fetchRegion } from './swap.ts'

export async function show(button: HTMLButtonElement): Promise<void> {
  const box = button.closest<HTMLElement>('.composer, .text-editor')
  const place = box?.querySelector('[data-preview]')
  if (!box || !place || button.form === null) return
  const written = new FormData(button.form, button)
  written.delete('files')
  const body = new URLSearchParams(written as unknown as URLSearchParams)
  const fresh = await fetchRegion('/-/markup', 'preview', { method: 'POST', body })
  if (fresh === undefined) return
  place.replaceChildren(...fresh.childNodes)
  showTab(box, 'preview')
  place.dispatchEvent(new CustomEvent('swapped', { bubbles: true }))
}

/** A file has tabs; the preview of a comment is below its text. */
export function showTab(box: HTMLElement, name: 'edit' | 'preview'): void {
  box.dataset.shown = name
  for (const tab of box.querySelectorAll<HTMLElement>('[data-tab]'))
    tab.setAttribute('aria-pressed', String(tab.dataset.tab === name))
}
