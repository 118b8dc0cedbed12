/** The palette (`Ctrl K`) and the list of keyboard shortcuts (`?`), created on first use from what the page offers. */
import { fetchRegion } from './swap.ts'

const TEXTS = JSON.parse(document.body.dataset.words ?? '{}') as Readonly<Record<string, string>>

let dialog: HTMLDialogElement | undefined

export function open(what: 'find' | 'help'): void {
  dialog ??= makeDialog(word('commands'), word('commandsHelp'), search)
  const [field, list] = [dialog.querySelector('input'), dialog.querySelector('ul')]
  if (field === null || list === null) return
  field.hidden = what === 'help'
  field.value = ''
  list.replaceChildren(...actions('', what === 'help'))
  if (!dialog.open) dialog.showModal()
}

/** A text in the language of the page. */
export function word(name: string): string {
  return TEXTS[name] ?? ''
}

/** A dialog with a field and a list of results; `hear` is called with the text of the field. */
export function makeDialog(
  label: string,
  placeholder: string,
  hear: (text: string) => unknown,
): HTMLDialogElement {
  const made = element('dialog', 'palette')
  made.setAttribute('aria-label', label)
  const field = element('input', '')
  field.type = 'search'
  field.placeholder = placeholder
  field.setAttribute('aria-label', placeholder)
  field.addEventListener('input', () => hear(field.value))
  made.addEventListener('keydown', (event) => move(event, made))
  made.addEventListener('click', (event) => {
    if (event.target === made) made.close()
  })
  made.append(field, element('ul', 'rows'))
  document.body.append(made)
  return made
}

let asked = 0

/** Actions of the page are listed at once; results of the server follow. */
async function search(text: string): Promise<void> {
  const turn = ++asked
  const list = dialog?.querySelector('ul')
  if (!list) return
  list.replaceChildren(...actions(text, false))
  if (text.trim().length < 2) return
  await new Promise((resolve) => setTimeout(resolve, 150))
  if (turn !== asked) return
  const found = await fetchRegion(`/-/find?q=${encodeURIComponent(text)}`, 'found')
  if (turn === asked && found !== undefined) list.append(...found.querySelectorAll('li'))
}

/** Every element with a shortcut is an action. */
function actions(text: string, isAll: boolean): HTMLElement[] {
  const known = new Map<string, HTMLElement>()
  for (const it of document.querySelectorAll<HTMLElement>('[data-key]')) known.set(it.dataset.key ?? '', it)
  const words = text.toLowerCase()
  return [...known]
    .map(([key, target]) => ({ key, target, name: nameOf(target) }))
    .filter(({ name }) => isAll || (name !== '' && name.toLowerCase().includes(words)))
    .map(({ key, target, name }) => row(name, key, () => run(target)))
}

function run(target: HTMLElement): void {
  dialog?.close()
  if (target.matches('input, textarea, select')) target.focus()
  else target.click()
}

function nameOf(target: HTMLElement): string {
  const label = (target as HTMLInputElement).labels?.[0]?.textContent
  return (target.getAttribute('aria-label') ?? label ?? textOf(target)).replace(/\s+/g, ' ').trim()
}

/** The text of a link or button without its counter. */
export function textOf(target: Element): string {
  const own = target.cloneNode(true) as Element
  for (const it of own.querySelectorAll('.counter')) it.remove()
  return own.textContent ?? ''
}

function row(name: string, key: string, onChosen: () => void): HTMLElement {
  const item = element('li', 'row')
  const button = element('button', 'item')
  button.type = 'button'
  button.textContent = name
  button.addEventListener('click', onChosen)
  const shown = element('kbd', '')
  shown.textContent = key
  item.append(button, shown)
  return item
}

/** Arrow keys move through the results; Enter in the field takes the first. */
function move(event: KeyboardEvent, made: HTMLDialogElement): void {
  // Otherwise Escape would only clear the search field.
  if (event.key === 'Escape') {
    event.preventDefault()
    made.close()
  }
  const items = [...made.querySelectorAll<HTMLElement>('li a, li button')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (event.key === 'Enter' && at < 0) {
    event.preventDefault()
    items[0]?.click()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const next = items[at + step]
  if (next) next.focus()
  else made.querySelector('input')?.focus()
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.className = className
  return made
}
