/**
 * The actions of a page (`.`): lists its forms, to submit them or to copy them as REST calls. The server translates a
 * form into calls; if it needs a confirmation, that is shown on its own page.
 */
import { element, makeDialog, textOf, word } from './palette.ts'

const SHOWN_MAX = 100

let dialog: HTMLDialogElement | undefined

export function open(): void {
  dialog ??= make()
  list('')
  const field = dialog.querySelector('input')
  if (field !== null) field.value = ''
  show('')
  if (!dialog.open) dialog.showModal()
}

function make(): HTMLDialogElement {
  const made = makeDialog(word('acts'), word('actsHelp'), list)
  made.classList.add('acts')
  const commands = element('pre', 'code')
  commands.tabIndex = 0
  commands.hidden = true
  const said = element('p', 'quiet-text')
  said.setAttribute('role', 'status')
  made.append(said, commands)
  return made
}

/** Lists submit buttons whose name contains the text. */
function list(text: string): void {
  const words = text.toLowerCase()
  const rows = [
    ...document.querySelectorAll<HTMLButtonElement>('main form[method="post"] button:not([type="button"])'),
  ]
    .filter((button) => !button.disabled && button.dataset.does === undefined)
    .map((button) => ({ button, name: nameOf(button) }))
    .filter(({ name }) => name !== '' && name.toLowerCase().includes(words))
    .slice(0, SHOWN_MAX)
    .map(({ button, name }) => row(button, name))
  dialog?.querySelector('ul')?.replaceChildren(...rows)
  if (rows.length === 0) say(word(text === '' ? 'noActs' : 'noMatch'))
  else say('')
}

/** The label of a button; buttons with equal labels are distinguished by the text around them. */
function nameOf(button: HTMLButtonElement): string {
  const own = clean(button.getAttribute('aria-label') ?? textOf(button))
  const around = clean(
    button.form?.getAttribute('aria-label') ??
      button.closest('[data-row], li, tr')?.querySelector('a, strong, td')?.textContent ??
      button.closest('section')?.querySelector('h2, h3')?.textContent,
  )
  return around === '' || own.includes(around) ? own : `${own}: ${around}`
}

function clean(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 100)
}

function row(button: HTMLButtonElement, name: string): HTMLElement {
  const item = element('li', 'row')
  const does = element('button', 'item')
  does.type = 'button'
  does.textContent = name
  does.addEventListener('click', () => run(button))
  const copies = element('button', 'button quiet')
  copies.type = 'button'
  copies.textContent = word('copyCurl')
  copies.setAttribute(
    'aria-label',
    word('copyCurlOf').replace('{name}', () => name),
  )
  copies.addEventListener('click', () => copy(button))
  item.append(does, copies)
  return item
}

/** If the form has fields to fill in, focus them instead. */
function run(button: HTMLButtonElement): void {
  dialog?.close()
  const fields = [...(button.form?.elements ?? [])].filter((it) =>
    it.matches('textarea, select, input:not([type="hidden"], [type="checkbox"], [type="radio"])'),
  )
  for (
    let around = button.closest('details');
    around;
    around = around.parentElement?.closest('details') ?? null
  )
    around.open = true
  const [first] = fields
  if (first instanceof HTMLElement) first.focus()
  else button.click()
}

/** Submits the form, including files, as a dry run; some calls contain the content of files as text. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const { form } = button
  if (form === null) return
  if (!form.reportValidity()) return dialog?.close()
  const sent = new FormData(form, button)
  const isMultipart = form.enctype === 'multipart/form-data'
  const body = isMultipart ? sent : new URLSearchParams(sent as unknown as URLSearchParams)
  const answer = await fetch(button.getAttribute('formaction') ?? form.action, {
    method: 'POST',
    body,
    headers: { 'x-act': 'curl', accept: 'text/html' },
    signal: AbortSignal.timeout(15_000),
  }).catch(() => undefined)
  if (answer === undefined) return say(word('offline'))
  // The server refuses or requests a password: show its page.
  if (!answer.headers.get('content-type')?.startsWith('text/plain')) return ask(form, button)
  const commands = await answer.text()
  show(commands)
  await navigator.clipboard
    ?.writeText(commands)
    .then(() => say(word('curlCopied')))
    .catch(() => say(word('curlShown')))
}

function ask(form: HTMLFormElement, button: HTMLButtonElement): void {
  const mark = element('input', '')
  mark.type = 'hidden'
  mark.name = 'act'
  mark.value = 'curl'
  form.append(mark)
  form.requestSubmit(button)
}

function show(commands: string): void {
  const place = dialog?.querySelector('pre')
  if (!place) return
  place.hidden = commands === ''
  place.textContent = commands
}

function say(text: string): void {
  const place = dialog?.querySelector('[role="status"]')
  if (place) place.textContent = text
}
