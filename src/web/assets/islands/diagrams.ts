/**
 * Draws the diagrams of a page when they come near the window. The box of a diagram has its height before, so nothing moves;
 * a text that is no diagram stays as it is.
 */
const DIAGRAMS_MAX = 50
const PATIENCE_MS = 20_000
/** A frame that hangs is replaced this often. */
const FRAMES_MAX = 3
const FAILURE_MAX = 120

interface Drawn {
  readonly id: number
  readonly picture?: string
  readonly failure?: string
}

const words = JSON.parse(document.body.dataset.words ?? '{}')
const isDark = matchMedia('(prefers-color-scheme: dark)')
const known = new Set<HTMLElement>()
const near = new IntersectionObserver(hearNear, { rootMargin: '400px' })
let frame: Promise<HTMLIFrameElement> | undefined
let frames = 0
let last = 0
let queue: Promise<unknown> = Promise.resolve()

/** Finds new diagrams. */
export function draw(): void {
  for (const box of document.querySelectorAll<HTMLElement>('.diagram')) {
    if (known.has(box) || known.size === DIAGRAMS_MAX) continue
    known.add(box)
    near.observe(box)
  }
}

function hearNear(seen: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue
    near.unobserve(target)
    later(target as HTMLElement)
  }
}

/** One at a time. */
function later(box: HTMLElement): void {
  queue = queue.then(() => show(box)).catch(() => undefined)
}

async function show(box: HTMLElement): Promise<void> {
  if (!box.isConnected) return
  const { picture, failure } = await ask(box.querySelector('pre')?.textContent ?? '')
  if (picture === undefined) return showFailure(box, failure ?? '')
  const image = box.querySelector('img') ?? addImage(box)
  image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`
}

function addImage(box: HTMLElement): HTMLImageElement {
  const image = document.createElement('img')
  image.alt = words.diagram
  const source = button(words.diagramSource, () => press(source, box.classList.toggle('as-text')))
  const whole = button(words.diagramWhole, () => press(whole, box.classList.toggle('whole')))
  const tools = document.createElement('span')
  tools.className = 'diagram-tools'
  tools.append(whole, source)
  image.onload = () => {
    image.onload = null
    box.classList.add('drawn')
    box.append(image, tools)
  }
  return image
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  Object.assign(made, { type: 'button', className: 'button', textContent: text, onclick: act })
  press(made, false)
  return made
}

function press(button: HTMLButtonElement, isPressed: boolean): void {
  button.setAttribute('aria-pressed', String(isPressed))
}

function showFailure(box: HTMLElement, failure: string): void {
  const note = document.createElement('p')
  note.className = 'diagram-failure'
  const [line = ''] = failure.split('\n')
  note.textContent = `${words.noDiagram} ${line.slice(0, FAILURE_MAX)}`
  box.querySelector('.diagram-failure')?.remove()
  box.append(note)
}

async function ask(text: string): Promise<Omit<Drawn, 'id'>> {
  if (frame === undefined && frames === FRAMES_MAX) return {}
  frame ??= openFrame()
  const to = await frame
  const id = ++last
  return new Promise((resolve) => {
    const end = new AbortController()
    const finish = (drawn: Omit<Drawn, 'id'>) => {
      end.abort()
      clearTimeout(timer)
      resolve(drawn)
    }
    const timer = setTimeout(() => {
      // A frame that works on a text without end is ended with it.
      to.remove()
      frame = undefined
      finish({})
    }, PATIENCE_MS)
    const hear = ({ source, data }: MessageEvent<Drawn>) => {
      if (source !== to.contentWindow || data.id !== id) return
      finish({
        ...(typeof data.picture === 'string' && { picture: data.picture }),
        ...(typeof data.failure === 'string' && { failure: data.failure }),
      })
    }
    addEventListener('message', hear, { signal: end.signal })
    // An opaque origin has no name.
    to.contentWindow?.postMessage({ id, text, isDark: isDarkNow() }, '*')
  })
}

function openFrame(): Promise<HTMLIFrameElement> {
  frames += 1
  const made = document.createElement('iframe')
  made.className = 'diagram-frame'
  made.title = words.diagram
  made.tabIndex = -1
  made.ariaHidden = 'true'
  made.sandbox.add('allow-scripts')
  made.src = new URL('../diagrams.html', import.meta.url).href
  return new Promise((resolve) => {
    made.onload = () => resolve(made)
    document.body.append(made)
  })
}

function isDarkNow(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? isDark.matches : theme === 'dark'
}

isDark.addEventListener('change', () => {
  for (const box of known) if (box.classList.contains('drawn')) later(box)
})
