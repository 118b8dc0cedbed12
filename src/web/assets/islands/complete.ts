/** Completes `@user`, `#issue` and `:emoji:` in a composer. The list comes from the server. */
import { replace } from './replace-text.ts'
import { fetchRegion } from './swap.ts'

const WAIT_MS = 150
const KINDS: Readonly<Record<string, string>> = { '@': 'users', '#': 'issues', ':': 'emoji' }

interface Open {
  readonly area: HTMLTextAreaElement
  readonly list: Element
  readonly start: number
}

let turn = 0
let open: Open | undefined
const listening = new WeakSet<HTMLTextAreaElement>()

export async function complete(area: HTMLTextAreaElement): Promise<void> {
  listen(area)
  const mine = ++turn
  const before = area.value.slice(0, area.selectionStart)
  const [, sign = '', q = ''] = /(?:^|[\s(])([@#:])([\w.+-]*)$/.exec(before) ?? []
  const kind = KINDS[sign]
  if (kind === undefined || (q === '' && kind !== 'issues')) return close()
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  if (mine !== turn) return
  const place = area.closest('.composer')?.querySelector<HTMLInputElement>('[name="preview_place"]')?.value
  const asked = new URLSearchParams({ kind, q, place: place ?? '' })
  const fresh = await fetchRegion(`/-/suggest?${asked}`, 'suggestions')
  if (mine !== turn || fresh === undefined) return
  close()
  const list = fresh.querySelector('[role="listbox"]')
  if (list !== null) show({ area, list, start: before.length - q.length - 1 })
}

function listen(area: HTMLTextAreaElement): void {
  if (listening.has(area)) return
  listening.add(area)
  // Before the page's own keys, such as Ctrl Enter.
  area.addEventListener('keydown', hearKey, { capture: true })
  area.addEventListener('blur', close)
  area.addEventListener('input', () => /[@#:]\S*$/.test(area.value.slice(0, area.selectionStart)) || close())
}

function show(shown: Open): void {
  open = shown
  const { area, list } = shown
  list.id = `${area.id}-suggestions`
  for (const [i, option] of [...list.children].entries()) {
    option.id = `${list.id}-${i}`
    // The text keeps the focus.
    option.addEventListener('mousedown', (event) => {
      event.preventDefault()
      choose(option)
    })
  }
  area.after(list)
  area.setAttribute('aria-autocomplete', 'list')
  area.setAttribute('aria-controls', list.id)
  mark(list.firstElementChild)
}

function close(): void {
  if (open === undefined) return
  open.list.remove()
  for (const name of ['aria-controls', 'aria-activedescendant']) open.area.removeAttribute(name)
  open = undefined
}

function mark(option: Element | null | undefined): void {
  if (!open || !option) return
  for (const it of open.list.children) it.setAttribute('aria-selected', it === option ? 'true' : 'false')
  open.area.setAttribute('aria-activedescendant', option.id)
  option.scrollIntoView({ block: 'nearest' })
}

function choose(option: Element | null): void {
  if (!open || !(option instanceof HTMLElement)) return
  const { area, start } = open
  turn++
  close()
  replace(area, start, area.selectionStart, `${option.dataset.insert ?? ''} `)
}

function hearKey(event: KeyboardEvent): void {
  if (open === undefined || event.ctrlKey || event.metaKey) return
  const { list } = open
  const now = list.querySelector('[aria-selected="true"]')
  const { key } = event
  if (key === 'ArrowDown') mark(now?.nextElementSibling ?? list.firstElementChild)
  else if (key === 'ArrowUp') mark(now?.previousElementSibling ?? list.lastElementChild)
  else if (key === 'Enter' || key === 'Tab') choose(now)
  else if (key === 'Escape') close()
  else return
  event.preventDefault()
  event.stopPropagation()
}
