/** The system's Chromium, and what is measured of each page it opens. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Frame,
  type Page,
  type Request,
} from 'playwright-core'

const PROGRAM = '/usr/bin/chromium'
/** The same engine without the browser around it: two thirds of the processor time for a page. */
const SHELL = '/usr/bin/chromium-headless-shell'
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]
const PATIENCE_MS = 60_000

export function openChromium(more: readonly string[] = []): Promise<Browser> {
  return launch(PROGRAM, more)
}

/** For tests that open many pages, and need neither the clipboard nor passkeys nor locks between tabs. */
export function openHeadlessShell(more: readonly string[] = []): Promise<Browser> {
  return launch(SHELL, more)
}

function launch(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...ARGUMENTS, ...more], timeout: PATIENCE_MS })
}

export interface Look {
  readonly theme: 'light' | 'dark'
  readonly width: 1280 | 390
  readonly hasScripts?: boolean
  /** Of the browser; default: English. */
  readonly language?: string
}

export const LOOKS: readonly Look[] = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
]

const HEIGHT = 900

/** A separate browser context with its own cookies. */
export async function openWindow(
  browser: Browser,
  { theme, width, hasScripts = true, language = 'en' }: Look,
): Promise<BrowserContext> {
  const window = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: HEIGHT },
    javaScriptEnabled: hasScripts,
    locale: language,
    reducedMotion: 'reduce',
  })
  window.setDefaultTimeout(PATIENCE_MS)
  return window
}

/** Observations of a page. */
export interface Seen {
  readonly status: number
  /** Finished before the load event. */
  readonly requests: readonly string[]
  readonly scriptBytes: number
  readonly styleBytes: number
  readonly htmlBytes: number
  /** Begun after the load event, up to what was awaited. */
  readonly late: { readonly requests: number; readonly bytes: number }
  readonly foreign: readonly string[]
  /** Console messages, script errors, CSP reports. */
  readonly complaints: readonly string[]
  readonly layoutShift: number
  /** Wider than the window: users would have to scroll sideways. */
  readonly overflows: boolean
}

/** A tab in which each page is loaded without a cache, and observed while it loads. */
export async function openTab(window: BrowserContext): Promise<Page> {
  const page = await window.newPage()
  await page.addInitScript(watchLayout)
  const tools = await window.newCDPSession(page)
  await tools.send('Network.enable')
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true })
  return page
}

/**
 * Opens an address in a tab and returns the observations, up to the appearance of an element that is made after loading.
 * The page stays open.
 */
export async function look(page: Page, url: string, awaited?: string): Promise<Seen> {
  const complaints: string[] = []
  const foreign: string[] = []
  const bytes = { script: 0, stylesheet: 0, document: 0 }
  const requests: string[] = []
  const { host } = new URL(url)
  const hear = (message: ConsoleMessage) => complaints.push(`${message.type()}: ${message.text()}`)
  const fail = (error: Error) => complaints.push(`error: ${error.message}`)
  // The page before may ask until this one arrives, such as for the script of its bell.
  const begun = new Set<Request>()
  const arrive = (frame: Frame) => {
    if (frame !== page.mainFrame()) return
    for (const it of begun) if (!it.isNavigationRequest()) begun.delete(it)
  }
  const ask = (request: Request) => {
    begun.add(request)
    const asked = new URL(request.url())
    if (asked.protocol !== 'data:' && asked.host !== host) foreign.push(request.url())
  }
  const finished: Request[] = []
  const count = async (request: Request) => {
    const { responseBodySize } = await request.sizes()
    // Redirects are not counted.
    if (request.redirectedTo() !== null) return
    const kind = request.resourceType()
    // Images of content do not count towards the page's own budget.
    if (kind === 'image' && !request.url().includes('/-/assets/')) return
    requests.push(`${request.method()} ${new URL(request.url()).pathname}`)
    if (kind in bytes) bytes[kind as keyof typeof bytes] += responseBodySize
  }
  const finish = (request: Request) => finished.push(request)
  page.on('console', hear).on('pageerror', fail).on('request', ask).on('requestfinished', finish)
  page.on('framenavigated', arrive)
  page.once('load', () => page.off('requestfinished', finish))
  const answer = await page.goto(url, { waitUntil: 'load' })
  if (awaited !== undefined) await page.locator(awaited).first().waitFor()
  const measured = await page
    .evaluate(() => {
      const [{ loadEventStart = 0 } = {}] = performance.getEntriesByType(
        'navigation',
      ) as PerformanceNavigationTiming[]
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const late = resources.filter(({ startTime }) => startTime >= loadEventStart)
      return {
        late: { requests: late.length, bytes: late.reduce((sum, it) => sum + it.encodedBodySize, 0) },
        layoutShift: (globalThis as { layoutShift?: number }).layoutShift ?? 0,
        overflows: document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
      }
    })
    .catch(() => ({ late: { requests: 0, bytes: 0 }, layoutShift: 0, overflows: false }))
  await Promise.all(finished.filter((it) => begun.has(it)).map((it) => count(it).catch(() => undefined)))
  page.off('console', hear).off('pageerror', fail).off('request', ask).off('framenavigated', arrive)
  return {
    status: answer?.status() ?? 0,
    requests,
    scriptBytes: bytes.script,
    styleBytes: bytes.stylesheet,
    htmlBytes: bytes.document,
    foreign,
    complaints,
    ...measured,
  }
}

function watchLayout(): void {
  const known = globalThis as { layoutShift?: number }
  known.layoutShift = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      known.layoutShift = (known.layoutShift ?? 0) + ((entry as { value?: number }).value ?? 0)
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules that another theme can change. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Findings of axe-core, each with its elements. */
export async function findBarriers(page: Page, { isOfColours = false } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(
    async (runOnly) => {
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Violation[] }> }
      }
      interface Violation {
        id: string
        nodes: { target: string[] }[]
      }
      const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] })
      return violations.map(({ id, nodes }) => {
        const places = nodes.slice(0, 3).map(({ target }) => target.join(' '))
        return `${id}: ${places.join(', ')}`
      })
    },
    isOfColours ? { type: 'rule', values: OF_COLOURS } : { type: 'tag', values: RULES },
  )
}
