/** Diagrams in Markdown are drawn in the browser, by a frame that a hostile text cannot leave. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { SeededForge } from '../../src/cli/demo/forge.ts'
import { tryForge } from '../try-forge.ts'
import { findBarriers, look, openChromium, openTab, openWindow } from './chromium.ts'

const { TEST_POSTGRES_BIN: bin } = process.env
const forge = await tryForge(['--ssh-port', '0', ...(bin ? ['--postgres', bin] : [])], () => undefined)
const seeded = new SeededForge(forge)
const browser = await openChromium()
after(async () => {
  await browser.close()
  await forge[Symbol.asyncDispose]()
})

const MERMAID_BYTES_MAX = 700_000
const FLOW = 'flowchart LR\n  A[Ore] --> B[Bloomery]\n  B --> C[Iron]'
const fence = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\`\n`

await seeded.person('smith')
await seeded.call('smith', 'POST', '/user/repos', { name: 'anvil' })

async function issueWith(body: string): Promise<string> {
  const made = await seeded.call('smith', 'POST', '/repos/smith/anvil/issues', { title: 'Drawn', body })
  return `${forge.url}/smith/anvil/issues/${(made as { number: number }).number}`
}

async function tab(theme: 'light' | 'dark' = 'light', hasScripts = true): Promise<Page> {
  return openTab(await openWindow(browser, { theme, width: 1280, hasScripts }))
}

async function pictureOf(page: Page, n = 0): Promise<string> {
  const image = page.locator('.diagram').nth(n).locator('img')
  await image.waitFor()
  const [, text = ''] = ((await image.getAttribute('src')) ?? '').split(/,(.*)/s)
  return decodeURIComponent(text)
}

test('a diagram is drawn in place of its text, and nothing moves', async () => {
  const url = await issueWith(`Before\n\n${fence(FLOW)}\nAfter\n\n${fence('sequenceDiagram\n  A->>B: Heat')}`)
  for (const theme of ['light', 'dark'] as const) {
    const page = await tab(theme)
    const sent: number[] = []
    page.on('requestfinished', async (request) => {
      if (request.url().endsWith('/mermaid.js')) sent.push((await request.sizes()).responseBodySize)
    })
    const seen = await look(page, url, '.diagram.drawn + * + .diagram.drawn')
    assert.match(await pictureOf(page), /Bloomery/)
    assert.match(await pictureOf(page, 1), /Heat/)
    assert.deepEqual(seen.complaints, [])
    assert.deepEqual(seen.foreign, [])
    assert.equal(seen.layoutShift, 0)
    assert.equal(sent.length, 1)
    assert.ok((sent[0] ?? 0) < MERMAID_BYTES_MAX, `${sent[0]} bytes`)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Source' }).first().click()
    await page.getByText('A[Ore] --> B[Bloomery]').waitFor()
    await page.context().close()
  }
})

test('without scripts and without a diagram nothing of it is loaded', async () => {
  const url = await issueWith(fence(FLOW))
  const still = await tab('light', false)
  await look(still, url)
  await still.getByText('A[Ore] --> B[Bloomery]').waitFor()
  await still.context().close()
  const page = await tab()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await look(page, await issueWith('```sh\nls\n```'))
  await page.waitForLoadState('networkidle')
  assert.ok(!asked.some((it) => /diagram|mermaid/.test(it)), asked.join())
  await page.context().close()
})

test('a text that is no diagram stays, with a message, and the next one is drawn', async () => {
  const page = await tab()
  const seen = await look(page, await issueWith(`${fence('flowchart LR\n  A[')}\n${fence(FLOW)}`), '.drawn')
  await page.getByText('This diagram cannot be drawn. Parse error on line').waitFor()
  await page.getByText('flowchart LR A[', { exact: false }).first().waitFor()
  assert.match(await pictureOf(page, 1), /Bloomery/)
  assert.equal(seen.layoutShift, 0)
  await page.context().close()
})

const HOSTILE = [
  'flowchart LR\n  A --> B\n  click A "javascript:alert(1)"\n  click B call alert()',
  'flowchart LR\n  A["<img src=x onerror=alert(1)><script>alert(1)</script>"] --> B["<a href=https://elsewhere.test>x</a>"]',
  '%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "* { background: url(https://elsewhere.test/x) }"}}%%\nflowchart LR\n  A["<iframe srcdoc=x>"] --> B',
  'classDiagram\n  class A\n  link A "https://elsewhere.test" "x"\n  callback A "alert"',
]

test('a hostile diagram runs nothing, loads nothing and leads nowhere', async () => {
  const page = await tab()
  const heard: string[] = []
  // Mermaid reads labels as HTML to measure them; the policy of the frame keeps their scripts from running.
  const isStopped = /'script-src 'self''.*The action has been blocked/
  page.on('console', (message) => isStopped.test(message.text()) || heard.push(message.text()))
  page.on('pageerror', (error) => heard.push(error.message))
  page.on('dialog', (dialog) => heard.push(dialog.message()))
  page.on('request', (request) => /elsewhere/.test(request.url()) && heard.push(request.url()))
  await look(page, await issueWith(HOSTILE.map(fence).join('\n')), '.diagram')
  for (let i = 0; i < HOSTILE.length; i++) {
    const box = page.locator('.diagram').nth(i)
    await box.scrollIntoViewIfNeeded()
    await box.locator('img, .diagram-failure').first().waitFor()
  }
  await page.waitForLoadState('networkidle')
  assert.deepEqual(heard, [])
  assert.equal(await page.locator('.diagram a, .diagram svg, .diagram iframe').count(), 0)
  const [, frame] = page.frames()
  assert.ok(frame)
  assert.equal(await frame.evaluate(() => origin), 'null')
  const reach = frame.evaluate(async () => [
    await fetch('/api/v1/version').then(
      () => 'fetched',
      () => 'refused',
    ),
    await Promise.resolve()
      .then(() => parent.document.title)
      .catch(() => 'refused'),
    await Promise.resolve()
      .then(() => document.cookie)
      .catch(() => 'refused'),
  ])
  assert.deepEqual(await reach, ['refused', 'refused', 'refused'])
  await page.context().close()
})

test('texts and their number are bounded', async () => {
  const large = `flowchart LR\n${Array.from({ length: 3_000 }, (_, i) => `  A${i} --> B`).join('\n')}`
  const page = await tab()
  await look(page, await issueWith(`${fence(large)}\n${fence(FLOW)}`), '.drawn')
  await page.getByText('This diagram cannot be drawn.').waitFor()
  assert.match(await pictureOf(page, 1), /Bloomery/)
  await page.context().close()
})
