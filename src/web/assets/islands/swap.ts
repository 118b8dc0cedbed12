/**
 * Fetches regions of a page and swaps them in. Focus, selection, open details and unsent input are kept. Contains the
 * only Trusted Types policy that creates markup from text.
 */

interface Policy {
  createHTML(text: string): string
}
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}
/** The input was rendered by this forge for this page; `html` has escaped all user text in it. */
const policy: Policy = trustedTypes?.createPolicy('bloomery', { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
}

const TRIES = 3
const PAUSE_MS = 500

/**
 * The region of a page; undefined if the page has no such region or cannot be fetched. A GET is retried, because
 * another node answers if one has died.
 */
export async function fetchRegion(
  url: string,
  name: string,
  init: RequestInit = {},
): Promise<Element | undefined> {
  const asked = { ...init, headers: { accept: 'text/html', 'x-region': name } }
  let text = await fetchText(url, asked)
  for (let tries = 1; text === undefined && init.method === undefined && tries < TRIES; tries++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    text = await fetchText(url, asked)
  }
  // Scripts in a document parsed this way never run.
  const parsed = new DOMParser().parseFromString(policy.createHTML(text ?? ''), 'text/html')
  return parsed.getElementById(name) ?? undefined
}

/** Empty if the server refuses; undefined if no complete answer arrived. */
async function fetchText(url: string, init: RequestInit): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) })
    if (answer.ok) return await answer.text()
    return answer.status < 500 ? '' : undefined
  } catch {
    return undefined
  }
}

/** Replaces the region of the page with the fresh one. */
export function swap(fresh: Element): void {
  const old = document.getElementById(fresh.id)
  if (old === null) return
  const restore = remember(old)
  old.replaceChildren(...fresh.childNodes)
  restore(old)
  old.dispatchEvent(new CustomEvent('swapped', { bubbles: true }))
}

/** Regions that are being fetched; true if the topic has changed again meanwhile. */
const asked = new Map<HTMLElement, boolean>()

/** One fetch at a time for each region, so that a late answer does not replace a newer one. */
export async function renew(live: HTMLElement): Promise<void> {
  const isAsked = asked.has(live)
  asked.set(live, isAsked)
  if (isAsked) return
  do {
    asked.set(live, false)
    await askAgain(live)
  } while (asked.get(live))
  asked.delete(live)
}

/** Swaps the region at once or, if that would move what the user is reading, when they press the button. */
async function askAgain(live: HTMLElement): Promise<void> {
  const name = live.dataset.of ?? ''
  const fresh = await fetchRegion(location.href, name)
  const old = document.getElementById(name)
  if (fresh === undefined || old === null || likeness(fresh) === likeness(old)) return
  const button = live.querySelector<HTMLButtonElement>('[data-news]')
  if (!('waits' in live.dataset) || button === null) {
    if (!isHeld(old)) return swap(fresh)
    await untilReleased(old)
    // The region may have changed while the pointer was held.
    return void asked.set(live, true)
  }
  const known = new Set(entriesOf(old))
  const more = entriesOf(fresh).filter((id) => !known.has(id)).length
  button.dataset.news ||= button.textContent ?? ''
  button.textContent = more > 0 ? `${button.dataset.news} (${more})` : button.dataset.news
  button.hidden = false
  button.onclick = () => {
    button.hidden = true
    swap(fresh)
  }
}

const HELD_PAUSE_MS = 50
const HELD_MAX = 200

/** An element that is removed while a button or key is held down gets no click. */
function isHeld(region: Element): boolean {
  return region.matches(':active')
}

async function untilReleased(region: Element): Promise<void> {
  for (let pauses = 0; pauses < HELD_MAX && isHeld(region); pauses++)
    await new Promise((resolve) => setTimeout(resolve, HELD_PAUSE_MS))
}

function entriesOf(region: Element): string[] {
  return [...region.querySelectorAll<HTMLElement>('[data-entry]')].map((it) => it.dataset.entry ?? '')
}

/** Ignores relative times and open details. */
function likeness(region: Element): string {
  const copy = region.cloneNode(true) as Element
  for (const time of copy.querySelectorAll('time')) time.textContent = ''
  for (const details of copy.querySelectorAll('details')) details.removeAttribute('open')
  return copy.innerHTML.replace(/\s+/g, ' ')
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
const FIELDS = 'input:not([type="hidden"], [type="file"]), textarea, select'

/** Returns a function that restores the state in the new region. */
function remember(old: Element): (into: Element) => void {
  const active = old.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null
  const path = active === null ? undefined : keyOf(active, old)
  const range =
    active instanceof HTMLTextAreaElement
      ? ([active.selectionStart, active.selectionEnd] as const)
      : undefined
  const opened = [...old.querySelectorAll('details[open]')].map((it) => keyOf(it, old))
  const fields = new Map<string, Field>()
  for (const field of old.querySelectorAll<Field>(FIELDS))
    if (isChanged(field)) fields.set(keyOf(field, old), field)
  return (into) => {
    const all = new Map([...into.querySelectorAll('*')].map((it) => [keyOf(it, into), it]))
    for (const key of opened) all.get(key)?.setAttribute('open', '')
    for (const [key, field] of fields) {
      const now = all.get(key) as Field | undefined
      if (now === undefined) continue
      if (isBox(field) && isBox(now)) now.checked = field.checked
      else now.value = field.value
    }
    const found = path === undefined ? undefined : (all.get(path) as HTMLElement | undefined)
    found?.focus({ preventScroll: true })
    if (range && found instanceof HTMLTextAreaElement) found.setSelectionRange(...range)
  }
}

/** Its id, or its name within the nearest ancestor with an id. */
function keyOf(element: Element, root: Element): string {
  if (element.id !== '') return `#${element.id}`
  const home = element.parentElement?.closest('[id]')
  const place = home && root.contains(home) ? home.id : ''
  const name = element.getAttribute('name') ?? element.getAttribute('href') ?? element.className.toString()
  return `${place} ${element.tagName} ${name} ${element.getAttribute('value') ?? ''}`
}

function isBox(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
}

function isChanged(field: Field): boolean {
  if (isBox(field)) return field.checked !== field.defaultChecked
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((it) => it.selected !== it.defaultSelected)
  return field.value !== field.defaultValue
}
