/**
 * Parts of a page, asked for alone and put in place of the old ones. Whatever somebody is at stays: the focus, what is
 * selected, what is open, what is written and not sent. The only policy that makes markup of text is here.
 */

interface Policy {
  createHTML(text: string): string
}
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}
/** What it is given was written by this forge, for this page: `html` has escaped all words of people in it. */
const policy: Policy = trustedTypes?.createPolicy('bloomery', { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
}

const TRIES = 3
const PAUSE_MS = 500

/**
 * The region of a page; undefined where it has none by this name, or cannot be asked now. A node that dies meanwhile is no
 * reason: whatever only reads is asked again, and another one answers.
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
  // Scripts of a document that was parsed so never run.
  const parsed = new DOMParser().parseFromString(policy.createHTML(text ?? ''), 'text/html')
  return parsed.getElementById(name) ?? undefined
}

/** Nothing where it is refused; undefined where nobody answered, or not to the end. */
async function fetchText(url: string, init: RequestInit): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) })
    if (answer.ok) return await answer.text()
    return answer.status < 500 ? '' : undefined
  } catch {
    return undefined
  }
}

/** Puts the fresh region in place of the one on the page. */
export function swap(fresh: Element): void {
  const old = document.getElementById(fresh.id)
  if (old === null) return
  const restore = remember(old)
  old.replaceChildren(...fresh.childNodes)
  restore(old)
  old.dispatchEvent(new CustomEvent('swapped', { bubbles: true }))
}

/** Regions that are asked for now; true where there was something newer meanwhile. */
const asked = new Map<HTMLElement, boolean>()

/** One question at a time, so that no answer that was late takes the place of a newer one. */
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

/** What is newer is shown at once, or, where it would move what is read, when somebody asks for it. */
async function askAgain(live: HTMLElement): Promise<void> {
  const name = live.dataset.of ?? ''
  const fresh = await fetchRegion(location.href, name)
  const old = document.getElementById(name)
  if (fresh === undefined || old === null || likeness(fresh) === likeness(old)) return
  const button = live.querySelector<HTMLButtonElement>('[data-news]')
  if (!('waits' in live.dataset) || button === null) {
    if (!isHeld(old)) return swap(fresh)
    await untilReleased(old)
    // What the hand has done meanwhile is newer.
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

/** What is taken away under a mouse or a key that is held down gets no click. */
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

/** The same but for times, which run, and for what somebody has opened. */
function likeness(region: Element): string {
  const copy = region.cloneNode(true) as Element
  for (const time of copy.querySelectorAll('time')) time.textContent = ''
  for (const details of copy.querySelectorAll('details')) details.removeAttribute('open')
  return copy.innerHTML.replace(/\s+/g, ' ')
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
const FIELDS = 'input:not([type="hidden"], [type="file"]), textarea, select'

/** Returns how to bring it all back into what stands there then. */
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

/** Its id, or what it is called inside the nearest thing with one. */
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
