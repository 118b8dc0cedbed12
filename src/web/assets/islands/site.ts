/** Relative times, shortcuts, drafts, copy buttons, live updates. Pages work without it, so failures are silent. */

const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]'

/** Shortcuts do not apply in a field. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches(FIELDS)
}

let before = ''

/** `data-key` on a link, button or field: one key, or two in sequence. */
function hearKeys(event: KeyboardEvent): void {
  const hasModifier = event.ctrlKey || event.metaKey
  if (event.key === 'Enter' && hasModifier) sendForm(event)
  if (event.key === 'k' && hasModifier) openPalette(event, 'find')
  if (hasModifier || event.altKey || isWriting(event.target) || localStorage.getItem('keys') === 'off') return
  if (event.key === '?') openPalette(event, 'help')
  const pressed = [`${before} ${event.key}`, event.key]
  before = event.key === 'g' ? 'g' : ''
  for (const key of pressed) {
    // The last element wins: a repository's shortcut overrides the site's.
    const found = [...document.querySelectorAll<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)].at(-1)
    if (found === undefined) continue
    event.preventDefault()
    if (found.matches('input, textarea, select')) found.focus()
    else found.click()
    return
  }
  moveInList(event)
}

/** Rows of a list: `j` and `k` move, `o` opens in another tab, `x` selects; some rows have shortcuts of their own. */
function moveInList(event: KeyboardEvent): void {
  const rows = all('[data-row]')
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const step = { j: 1, k: -1 }[event.key]
  const row = rows[step === undefined ? at : Math.max(0, Math.min(rows.length - 1, at + step))]
  if (row === undefined) return
  const link = row.querySelector<HTMLAnchorElement>('[data-open]')
  if (step !== undefined) link?.focus()
  else if (event.key === 'o' && link !== null) open(link.href, '_blank', 'noopener')
  else if (event.key === 'x') row.querySelector<HTMLInputElement>('[data-select]')?.click()
  else row.querySelector<HTMLButtonElement>(`[data-act="${CSS.escape(event.key)}"] button`)?.click()
}

function openPalette(event: Event, what: 'find' | 'help'): void {
  event.preventDefault()
  import('./palette.ts').then(({ open }) => open(what), ignore)
}

/** If the script cannot be loaded, the link leads to a page that shows the same. */
function openActs(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  import('./acts.ts').then(({ open }) => open(), ignore)
}

/** Shows the preview beside the text instead of on its own page. */
function openPreview(event: Event, button: HTMLButtonElement): void {
  event.preventDefault()
  import('./preview.ts').then(({ show }) => show(button), ignore)
}

function sendForm(event: KeyboardEvent): void {
  const { target } = event
  if (!(target instanceof HTMLTextAreaElement) || target.form === null) return
  event.preventDefault()
  const { form } = target
  // The first submit button may be the preview.
  form.requestSubmit(form.querySelector<HTMLButtonElement>('button.primary'))
}

/** A composer loads its script when it is first used. */
function hearComposers({ target }: Event): void {
  const composer = target instanceof Element ? target.closest('.composer') : null
  if (composer !== null) import('./composer.ts').then(({ attach }) => attach(composer), ignore)
}

function hearClicks(event: MouseEvent): void {
  const target = event.target as Element | null
  const copied = target?.closest<HTMLElement>('[data-copy]')
  if (copied?.dataset.copy !== undefined) copy(copied, copied.dataset.copy)
  const does = target?.closest<HTMLElement>('[data-does]')
  if (does?.dataset.does === 'help') openPalette(event, 'help')
  if (does?.dataset.does === 'acts') openActs(event)
  if (does?.dataset.does === 'format') import('./composer.ts').then(({ format }) => format(does), ignore)
  if (does?.dataset.does === 'preview') openPreview(event, does as HTMLButtonElement)
}

function copy(from: HTMLElement, text: string): void {
  const words = JSON.parse(document.body.dataset.words ?? '{}')
  navigator.clipboard.writeText(text).then(() => {
    from.setAttribute('aria-label', words.copied)
    setTimeout(() => from.setAttribute('aria-label', from.textContent || words.copy), 2_000)
  }, ignore)
}

/** A box with `data-sends` submits its form when it is ticked. */
function hearTicking({ target }: Event): void {
  if (target instanceof HTMLInputElement && 'sends' in target.dataset) target.form?.requestSubmit()
}

function ignore(): void {}

/** Texts that are not saved on the server yet, by field. */
const unsaved = new Map<HTMLTextAreaElement | HTMLInputElement, string>()
let timer: ReturnType<typeof setTimeout> | undefined

/** The body of a form is stored at its place, other fields at `place#name`. */
function hearWriting({ target }: Event): void {
  if (
    !(target instanceof HTMLTextAreaElement) &&
    !(target instanceof HTMLInputElement && target.name === 'title')
  )
    return
  const place = target.form?.dataset.draft
  if (!place || document.body.dataset.viewer === undefined) return
  unsaved.set(target, target.name === 'body' ? place : `${place}#${target.name}`)
  clearTimeout(timer)
  timer = setTimeout(saveDrafts, 1_000)
}

async function saveDrafts(): Promise<void> {
  clearTimeout(timer)
  const all = [...unsaved]
  unsaved.clear()
  const save = ([field, place]: (typeof all)[number]) =>
    fetch('/-/draft', {
      method: 'POST',
      body: new URLSearchParams({ place, text: field.value }),
      signal: AbortSignal.timeout(2_000),
    }).then(
      ({ ok }) => (ok ? saved(field, place) : keepHere(place, field.value)),
      () => keepHere(place, field.value),
    )
  await Promise.all(all.map(save))
}

/** The composer, if it is loaded, tells the time. */
function saved(field: Element, place: string): void {
  localStorage.removeItem(`draft ${place}`)
  field.dispatchEvent(new Event('saved', { bubbles: true }))
}

/** If no node can be reached, the draft is stored in the browser. */
function keepHere(place: string, text: string): void {
  localStorage.setItem(`draft ${place}`, text)
}

function restoreDrafts(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) {
    const place = form.dataset.draft ?? ''
    for (const field of form.querySelectorAll<HTMLTextAreaElement>('textarea, input[name="title"]')) {
      const own = field.name === 'body' ? place : `${place}#${field.name}`
      const text = localStorage.getItem(`draft ${own}`)
      if (text === null || field.value !== '') continue
      field.value = text
      unsaved.set(field, own)
    }
  }
  if (unsaved.size > 0) timer = setTimeout(saveDrafts, 1_000)
}

/** Saves the draft before submitting, so that the text is not lost if submitting fails. */
function hearSending(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement
  if (![...unsaved.keys()].some((field) => field.form === form)) return
  event.preventDefault()
  saveDrafts().then(() => form.requestSubmit(event.submitter), ignore)
}

function hearLeaving(): void {
  for (const [field, place] of unsaved)
    if (!navigator.sendBeacon('/-/draft', new URLSearchParams({ place, text: field.value })))
      keepHere(place, field.value)
  unsaved.clear()
}

interface News {
  /** A topic that has changed. */
  readonly newer?: string
  readonly unread?: number
  /** Sent by a tab to list its topics; `who` is sent by the leader to request this from all tabs. */
  readonly tab?: number
  readonly topics?: readonly string[]
  readonly who?: true
}

const REFUSED_MS = 30_000

/** One connection for each browser: the tab that holds the lock listens and broadcasts to the others. */
function hearNews(): void {
  if (document.body.dataset.viewer === undefined) return
  const mine = [...new Set(all('[data-topic]').map((it) => it.dataset.topic ?? ''))]
  const tab = Math.random()
  // Without TLS there are no locks, so each tab listens for itself.
  const channel = navigator.locks ? new BroadcastChannel('live') : undefined
  const left = new AbortController()
  const wanted = new Map<number, readonly string[]>([[tab, mine]])
  const open = new Set<EventSource>()
  let source: EventSource | undefined
  let asked = ''
  const tell = (news: News) => {
    channel?.postMessage(news)
    hear(news)
  }
  const connect = (wasAway: boolean) => {
    const topics = [...new Set([...wanted.values()].flat())].sort().slice(0, 40).join()
    if (source && asked === topics && !wasAway) return
    asked = topics
    const opened = new EventSource(`/-/live?topics=${encodeURIComponent(topics)}`)
    let misses = wasAway
    opened.onopen = () => {
      // Earlier connections are closed only now, so that one is always open.
      if (opened === source) closeBut(opened)
      // Events while no connection was open were missed.
      if (misses) for (const newer of topics.split(',')) tell({ newer })
      misses = true
    }
    opened.onmessage = ({ data }) => tell({ newer: data })
    opened.addEventListener('unread', ({ data }) => tell({ unread: Number(data) }))
    // The browser reconnects after network errors, but not after a refusal.
    opened.onerror = () =>
      opened.readyState === EventSource.CLOSED &&
      setTimeout(() => opened === source && connect(true), REFUSED_MS)
    open.add(opened)
    source = opened
  }
  const closeBut = (kept?: EventSource) => {
    for (const it of open) if (it !== kept && open.delete(it)) it.close()
    source = kept
  }
  const lead = () =>
    new Promise<void>((resolve) => {
      left.signal.addEventListener('abort', () => resolve())
      connect(false)
      channel?.postMessage({ who: true })
    })
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => {
    if (data.who) channel?.postMessage({ tab, topics: mine })
    else if (data.tab !== undefined && data.topics !== undefined) {
      if (data.topics.length > 0) wanted.set(data.tab, data.topics)
      else wanted.delete(data.tab)
      if (source) connect(false)
    } else hear(data)
  })
  channel?.postMessage({ tab, topics: mine })
  addEventListener(
    'pagehide',
    () => {
      left.abort()
      closeBut()
      channel?.postMessage({ tab, topics: [] })
      channel?.close()
    },
    { once: true },
  )
  if (navigator.locks)
    return void navigator.locks.request('live', { signal: left.signal }, lead).catch(ignore)
  // Only while the tab is visible: without TLS a browser opens at most six connections to a host.
  const watch = () => (document.hidden ? closeBut() : connect(true))
  document.addEventListener('visibilitychange', watch, { signal: left.signal })
  if (!document.hidden) connect(false)
}

function hear({ newer, unread }: News): void {
  if (newer !== undefined) renew(all(`[data-topic="${CSS.escape(newer)}"]`))
  if (unread === undefined) return
  const [bell] = all('.bell')
  if (bell && bell.dataset.unread !== `${unread}`) {
    import('./unread.ts').then((it) => it.showUnread(bell, unread), ignore)
    renew(all('[data-topic="inbox"]'))
  }
  // The count is the first message of a connection: refresh regions that may have changed since rendering.
  renew(all('[data-soon]'))
}

function renew(regions: readonly HTMLElement[]): void {
  if (regions.length > 0) import('./swap.ts').then(({ renew }) => Promise.all(regions.map(renew)), ignore)
}

function all(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)]
}

// Relative times are rendered by the server and outdated after a minute.
setInterval(() => document.hidden || import('./times.ts').then((it) => it.writeTimes(), ignore), 60_000)
restoreDrafts()
addEventListener('keydown', hearKeys)
addEventListener('click', hearClicks)
for (const type of ['focusin', 'dragenter']) addEventListener(type, hearComposers)
addEventListener('input', hearWriting)
addEventListener('change', hearTicking)
addEventListener('submit', hearSending)
addEventListener('pagehide', hearLeaving)
addEventListener('pageshow', hearNews)
const drawDiagrams = () =>
  all('.diagram').length > 0 && import('./diagrams.ts').then((it) => it.draw(), ignore)
for (const type of ['load', 'swapped']) addEventListener(type, drawDiagrams)
