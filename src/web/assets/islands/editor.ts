/**
 * The page of a file's editor: tabs of Markdown, and the editor itself, whose code is loaded after the page, which works
 * without it.
 */
const MARKDOWN = /(?:^|\/|\.(?:md|markdown|mdown|mkd))$/i

const area = document.querySelector<HTMLTextAreaElement>('textarea[data-editor]')
const box = area?.closest<HTMLElement>('.text-editor')
const tabs = box?.querySelector<HTMLElement>('[data-tabs]')

function start(): void {
  if (area) import('./file-editor.ts').then(({ edit }) => edit(area)).catch(() => undefined)
}

function showText(): void {
  if (box) import('./preview.ts').then(({ showTab }) => showTab(box, 'edit')).catch(() => undefined)
}

tabs?.querySelector('[data-tab="edit"]')?.addEventListener('click', showText)
area?.form?.querySelector<HTMLInputElement>('[name="path"]')?.addEventListener('input', ({ target }) => {
  if (tabs) tabs.hidden = !MARKDOWN.test((target as HTMLInputElement).value)
})
if (document.readyState === 'complete') start()
else addEventListener('load', start, { once: true })

export {}
