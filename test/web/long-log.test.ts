/**
 * A log of 50,000 lines while its job runs: its cost for the server and the browser, whether the browser's own search
 * reaches its end, and whether the next line appears live.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Message, SimulatedRunner } from '#testing/slices/runners'
import { SeededForge } from '../../src/cli/demo/forge.ts'
import { tryForge } from '../try-forge.ts'
import { openChromium, openWindow } from './chromium.ts'

const FEW = 10_000
const MANY = 50_000
/** The best of several runs is the server's undisturbed time. */
const LOOKS = 3
const LAST = 'the_very_last_word'
const ROOT = '/repos/ann/long'
const WORKFLOW = `on: workflow_dispatch
jobs:
  talk: { runs-on: linux, steps: [{ name: Say much, run: make noise }] }
`

/** Five times the lines may take six times as long, plus slack for a busy machine. */
const RATIO_MAX = 6
const SLACK_MS = 300
/** Absolute bounds are for busy machines. */
const FIRST_LINE_MAX_MS = 8_000
const LOAD_MAX_MS = 20_000

const { TEST_POSTGRES_BIN: bin } = process.env
const forge = await tryForge(['--ssh-port', '0', ...(bin ? ['--postgres', bin] : [])], () => undefined)
const browser = await openChromium()
after(async () => {
  await browser.close()
  await forge[Symbol.asyncDispose]()
})
const seeded = new SeededForge(forge)
const { runner, task, address } = await startJob()

async function startJob() {
  await seeded.person('ann')
  await seeded.call('ann', 'POST', '/user/repos', { name: 'long', auto_init: true, default_branch: 'main' })
  await seeded.call('ann', 'POST', `${ROOT}/contents/.gitea/workflows/talk.yml`, {
    content: Buffer.from(WORKFLOW).toString('base64'),
    message: 'Talk',
  })
  const { token } = await seeded.call('ann', 'POST', `${ROOT}/actions/runners/registration-token`)
  const runner = await SimulatedRunner.register(forge.url, token)
  await seeded.call('ann', 'POST', `${ROOT}/actions/workflows/talk.yml/dispatches`, { ref: 'main' })
  const task: Message = await runner.untilTask()
  const { jobs } = await seeded.call('ann', 'GET', `${ROOT}/actions/jobs`)
  return { runner, task, address: `/ann/long/actions/runs/${jobs[0].run_id}/jobs/${jobs[0].id}?all` }
}

function lineOf(number: number): string {
  const said = `\u001b[32mok\u001b[0m ${number} src/area/part.test.ts › does what it says (${number % 97} ms)`
  return number === MANY ? LAST : said
}

/** In batches of the maximum size; then the step they belong to is reported. */
async function writeUntil(from: number, end: number, meanwhile = async () => {}): Promise<void> {
  const lines = Array.from({ length: end - from }, (_, i) => lineOf(from + i + 1))
  for (let next = from; next < end; ) next = await runner.log(task.id, next, lines.slice(next - from))
  await meanwhile()
  const step = { id: '0', startedAt: '2026-01-02T03:04:05Z', logIndex: '0', logLength: String(end) }
  await runner.report(task.id, { steps: [step] })
}

async function lookAgainAndAgain(): Promise<{ text: string; serverMs: number }> {
  let [text, serverMs] = ['', Number.POSITIVE_INFINITY]
  for (let i = 0; i < LOOKS; i++) {
    const before = performance.now()
    text = await (await fetch(forge.url + address, { headers: { accept: 'text/html' } })).text()
    serverMs = Math.min(serverMs, performance.now() - before)
  }
  return { text, serverMs }
}

/** Runs in the page. */
function watch(): void {
  const look = () => {
    if (document.querySelector('.log-lines [data-l]'))
      Object.assign(globalThis, { firstLine: performance.now() })
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

test('a log of 50,000 lines takes the server no more than about five times as long as 10,000', async (t) => {
  await writeUntil(0, FEW)
  const few = await lookAgainAndAgain()
  await writeUntil(FEW, MANY)
  const many = await lookAgainAndAgain()
  const [fewMs, manyMs] = [few, many].map(({ serverMs }) => Math.round(serverMs))
  t.diagnostic(
    `10,000 lines ${fewMs} ms, 50,000 lines ${manyMs} ms, ${(many.text.length / 1e6).toFixed(1)} MB of HTML`,
  )
  assert.equal(few.text.match(/ data-l="/g)?.length, FEW)
  assert.equal(many.text.match(/ data-l="/g)?.length, MANY)
  assert.ok(many.serverMs <= RATIO_MAX * few.serverMs + SLACK_MS)
})

test("the lines are shown soon, found by the browser's search, and the next line appears live", async (t) => {
  const window = await openWindow(browser, { theme: 'light', width: 1280 })
  const page = await window.newPage()
  await page.addInitScript(watch)
  await page.goto(forge.url + address, { waitUntil: 'load' })
  const seen = await page.evaluate((last) => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const { firstLine = 1e9 } = globalThis as { firstLine?: number }
    const before = performance.now()
    const isFound = (globalThis as unknown as { find(text: string): boolean }).find(last)
    return {
      firstLineMs: firstLine,
      loadMs: navigation?.loadEventStart ?? 1e9,
      bytes: navigation?.encodedBodySize ?? 0,
      isFound,
      findMs: performance.now() - before,
    }
  }, LAST)
  const before = performance.now()
  await writeUntil(MANY, MANY + 1, () => page.locator(`#step-after #L${MANY + 1}`).waitFor())
  await page.locator(`#step-0 #L${MANY + 1}`).waitFor()
  assert.equal(await page.locator('#step-after').count(), 0)
  const nextMs = performance.now() - before
  const [firstLine, load, find, next] = [seen.firstLineMs, seen.loadMs, seen.findMs, nextMs].map(Math.round)
  t.diagnostic(`first line ${firstLine} ms, load ${load} ms, found in ${find} ms, next line after ${next} ms`)
  t.diagnostic(`${(seen.bytes / 1e6).toFixed(2)} MB sent`)
  await window.close()
  assert.equal(seen.isFound, true, 'the last word is found')
  assert.ok(seen.firstLineMs <= FIRST_LINE_MAX_MS && seen.loadMs <= LOAD_MAX_MS)
})

test('of a longer log the last 50,000 lines are shown, with a link to download the rest', async () => {
  await writeUntil(MANY, MANY + 1)
  const { text } = await lookAgainAndAgain()
  assert.equal(text.match(/ data-l="/g)?.length, MANY)
  assert.ok(text.includes(`id="L${MANY + 1}"`) && !text.includes('id="L1"'))
  const [, raw = ''] = /class="flash"><a href="([^"]+)"/.exec(text) ?? []
  assert.match(raw, /\/log$/)
  assert.equal((await (await fetch(forge.url + raw)).text()).split('\n').length - 1, MANY + 1)
})
