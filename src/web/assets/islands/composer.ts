/** The Markdown editor: toolbar, pasted and dropped files, completion. Loaded when a composer is first used. */
import { replace } from './replace-text.ts'

const WRAPS: Readonly<Record<string, string>> = { bold: '**', italic: '_', code: '`' }
const LINES: Readonly<Record<string, string>> = { quote: '> ', list: '- ', numbers: '1. ' }
const KEYS: Readonly<Record<string, string>> = { b: 'bold', i: 'italic', e: 'code' }

const TIME = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'short' })

const attached = new WeakSet<Element>()

export function attach(composer: Element): void {
  const area = composer.querySelector('textarea')
  if (area === null || attached.has(composer)) return
  attached.add(composer)
  composer.addEventListener('keydown', (event) => hearKey(event as KeyboardEvent, area))
  area.addEventListener('paste', (event) => attachFiles(event, area, event.clipboardData))
  area.addEventListener(
    'dragover',
    (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault(),
  )
  area.addEventListener('drop', (event) => attachFiles(event, area, event.dataTransfer))
  area.addEventListener('saved', () => tellSaved(composer))
  area.addEventListener('input', () => {
    if (/(?:^|[\s(])[@#:]\S*$/.test(area.value.slice(0, area.selectionStart)))
      import('./complete.ts').then(({ complete }) => complete(area), ignore)
  })
}

function tellSaved(composer: Element): void {
  const note = composer.querySelector<HTMLElement>('[data-saved]')
  if (note === null) return
  note.hidden = false
  note.textContent = `${note.dataset.saved} ${TIME.format()}`
}

function ignore(): void {}

function hearKey(event: KeyboardEvent, area: HTMLTextAreaElement): void {
  const { target, key } = event
  if (target === area && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    const name = KEYS[key]
    if (name === undefined) return
    event.preventDefault()
    apply(area, name)
  }
  const tools = (target as Element).closest('[role="toolbar"]')?.querySelectorAll('button')
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (tools === undefined || step === undefined) return
  event.preventDefault()
  const all = [...tools]
  const next = all[(all.indexOf(target as HTMLButtonElement) + step + all.length) % all.length]
  for (const tool of all) tool.tabIndex = tool === next ? 0 : -1
  next?.focus()
}

/** A click on a tool. */
export function format(tool: HTMLElement): void {
  const area = tool.closest('.composer')?.querySelector('textarea')
  if (area) apply(area, tool.dataset.format ?? '')
}

function apply(area: HTMLTextAreaElement, name: string): void {
  const { selectionStart: start, selectionEnd: end, value } = area
  const chosen = value.slice(start, end)
  const mark = WRAPS[name]
  const prefix = LINES[name]
  if (name === 'code' && chosen.includes('\n')) replace(area, start, end, `\`\`\`\n${chosen}\n\`\`\``, 3, 3)
  else if (mark !== undefined) wrap(area, mark)
  else if (prefix !== undefined) prefixLines(area, prefix)
  else if (/^https?:\/\/\S+$/.test(chosen)) replace(area, start, end, `[](${chosen})`, 1, 1)
  else {
    const text = `[${chosen}](https://)`
    replace(area, start, end, text, text.length - 9, text.length - 1)
  }
}

/** Removes the marks if the selection has them. */
function wrap(area: HTMLTextAreaElement, mark: string): void {
  const { selectionStart: start, selectionEnd: end, value } = area
  const { length } = mark
  const chosen = value.slice(start, end)
  if (value.slice(start - length, start) === mark && value.slice(end, end + length) === mark)
    replace(area, start - length, end + length, chosen, 0, chosen.length)
  else replace(area, start, end, mark + chosen + mark, length, length + chosen.length)
}

function prefixLines(area: HTMLTextAreaElement, prefix: string): void {
  const { selectionEnd: end, value } = area
  const start = value.lastIndexOf('\n', area.selectionStart - 1) + 1
  const lines = value.slice(start, end).split('\n')
  const isNumbered = /^\d/.test(prefix)
  const text = lines.map((line, i) => (isNumbered ? `${i + 1}. ${line}` : prefix + line)).join('\n')
  replace(area, start, end, text, text.length, text.length)
}

/** Adds pasted or dropped files to the file field of the form. The text names each file, and the server inserts its address. */
function attachFiles(event: Event, area: HTMLTextAreaElement, transfer: DataTransfer | null): void {
  const field = area.closest('.composer')?.querySelector<HTMLInputElement>('input[type="file"]')
  if (!field || !transfer || transfer.files.length === 0 || transfer.getData('text/plain') !== '') return
  event.preventDefault()
  const all = new DataTransfer()
  for (const file of field.files ?? []) all.items.add(file)
  const names = [...transfer.files].map((file) => {
    const name = `${all.files.length + 1}-${file.name.replaceAll(/[^\w.-]+/g, '-')}`
    all.items.add(new File([file], name, { type: file.type }))
    return `${file.type.startsWith('image/') ? '!' : ''}[${name}](attachment:${name})`
  })
  field.files = all.files
  const { selectionStart: start, selectionEnd: end } = area
  replace(area, start, end, `${names.join('\n')}\n`)
}
