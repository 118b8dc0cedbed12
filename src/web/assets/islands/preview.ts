/** Preview of a Markdown text. */
import { fetchRegion } from './swap.ts'

export async function show(button: HTMLButtonElement): Promise<void> {
  const place = button.closest('.composer')?.querySelector('[data-preview]')
  if (!place || button.form === null) return
  const written = new FormData(button.form, button)
  written.delete('files')
  const body = new URLSearchParams(written as unknown as URLSearchParams)
  const fresh = await fetchRegion('/-/markup', 'preview', { method: 'POST', body })
  if (fresh !== undefined) place.replaceChildren(...fresh.childNodes)
}
