/**
 * Every page, in both themes and both widths: no accessibility findings, no layout shift, no console messages, no
 * requests to other hosts, and within its byte budget.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { web } from '../../src/web/index.ts'
import { tryForge } from '../try-forge.ts'
import { findBarriers, look, openHeadlessShell, openTab, openWindow, type Seen } from './chromium.ts'
import { awaitedOn, type Example } from './examples/example.ts'
import { EXAMPLES } from './examples/index.ts'
import { seed } from './seed/seed.ts'

/** Compressed, in bytes. */
const SCRIPT_MAX = { reading: 6_000, list: 8_000, review: 20_000, board: 15_000, editor: 200_000 }
const STYLE_MAX = 16_000
const HTML_MAX = 40_000
const REQUESTS_MAX = 5
const LATE_REQUESTS_MAX = 20
const LOOKS_MAX = 4
/** In pixels, with a border. */
const ROW_HEIGHT_MAX = 37
const WIDTHS = [1280, 390] as const

const { TEST_WEB_ONLY: only = '', TEST_POSTGRES_BIN: bin } = process.env
const forge = await tryForge(['--ssh-port', '0', ...(bin ? ['--postgres', bin] : [])], () => undefined)
const seeded = await seed(forge)
const browser = await openHeadlessShell()
after(async () => {
  await browser.close()
  await forge[Symbol.asyncDispose]()
})

/** One for each user and width, reused for all pages. */
const tabs = new Map<string, Page>()

async function tabOf(as: Example['as'], width: 1280 | 390): Promise<Page> {
  const key = `${as} ${width}`
  const known = tabs.get(key)
  if (known !== undefined) return known
  const window = await openWindow(browser, { theme: 'light', width })
  if (as !== undefined)
    await window.addCookies([await seeded.forge.signIn(as === 'admin' ? forge.admin : as)])
  const tab = await openTab(window)
  tabs.set(key, tab)
  return tab
}

/** On a busy machine a page may be painted in pieces as it arrives. A real layout shift happens every time. */
async function lookUntilStill(tab: Page, url: string, awaited?: string): Promise<Seen> {
  for (let tries = 1; ; tries++) {
    const seen = await look(tab, url, awaited)
    if (seen.layoutShift === 0 || tries === LOOKS_MAX) return seen
  }
}

/** Heights of rows of dense lists that take more than one line. The value of a variable has its own. */
function findTallRows(tab: Page): Promise<number[]> {
  return tab
    .locator('.dense > .row:not(.top)')
    .evaluateAll(
      (rows, max) => rows.map((it) => it.getBoundingClientRect().height).filter((height) => height > max),
      ROW_HEIGHT_MAX,
    )
}

/** The code of an editor is loaded after the page. */
function assertEditorIsLight({ scriptBytes, late }: Seen): void {
  assert.ok(
    late.requests > 0 && late.requests <= LATE_REQUESTS_MAX,
    `${late.requests} requests after loading`,
  )
  assert.ok(scriptBytes + late.bytes <= SCRIPT_MAX.editor, `${scriptBytes} and ${late.bytes} bytes of script`)
}

test('every page has an example', () => {
  const paths = web.pages.map(({ path }) => path)
  assert.deepEqual(
    paths.filter((path) => EXAMPLES[path] === undefined),
    [],
  )
})

for (const [path, example] of Object.entries(EXAMPLES)) {
  if (only.startsWith('=') ? path !== only.slice(1) : !path.includes(only)) continue
  test(`${path} keeps its budgets and is accessible`, async () => {
    for (const width of WIDTHS) {
      const tab = await tabOf(example.as, width)
      await tab.emulateMedia({ colorScheme: 'light' })
      const awaited = awaitedOn(example)
      const seen = await lookUntilStill(tab, forge.url + example.address(seeded), awaited)
      assert.equal(seen.status, example.status ?? 200)
      // Chromium logs failed requests to the console.
      const isRefused = example.status !== undefined && example.status >= 400
      assert.deepEqual(isRefused ? [] : seen.complaints, [])
      assert.deepEqual(seen.foreign, [])
      assert.equal(await tab.locator('h1:not(.markdown h1)').count(), 1, 'one heading of the page')
      assert.equal(seen.layoutShift, 0)
      assert.equal(seen.overflows, false, `wider than ${width} px`)
      assert.ok(
        seen.scriptBytes <= SCRIPT_MAX[example.kind ?? 'reading'],
        `${seen.scriptBytes} bytes of script`,
      )
      assert.ok(seen.styleBytes <= STYLE_MAX, `${seen.styleBytes} bytes of style`)
      assert.ok(seen.htmlBytes <= HTML_MAX, `${seen.htmlBytes} bytes of HTML`)
      assert.ok(seen.requests.length <= REQUESTS_MAX, `requests: ${seen.requests.join(', ')}`)
      if (awaited !== undefined) assertEditorIsLight(seen)
      if (width === 1280) assert.deepEqual(await findTallRows(tab), [], 'rows of dense lists')
      assert.deepEqual(await findBarriers(tab), [], `light, ${width} px`)
      await tab.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await findBarriers(tab, { isOfColours: true }), [], `dark, ${width} px`)
    }
  })
}
