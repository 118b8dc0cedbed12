/** Changes a text as if it were typed. */

/** `execCommand` keeps the browser's undo, which setting the value would lose. */
export function replace(
  area: HTMLTextAreaElement,
  start: number,
  end: number,
  text: string,
  from = text.length,
  to = from,
): void {
  area.focus()
  area.setSelectionRange(start, end)
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text)
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  area.setSelectionRange(start + from, start + to)
}
