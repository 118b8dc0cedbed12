/** An issue is opened, discussed and closed, in every mode; and no text is lost when the node that received it is killed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBarriers, openChromium } from '../chromium.ts'
import { JourneyForge } from './forge.ts'
import { type Hand, WAYS } from './hand.ts'

// It uses the clipboard, and locks between tabs.
const journey = await JourneyForge.start(openChromium)
const forge = journey.seeded
for (const login of ['ann', 'bob']) await forge.person(login)
await forge.call('ann', 'POST', '/user/repos', { name: 'furnace' })
const REPO = '/repos/ann/furnace'
/** A PNG of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const TRIES = 50
const PAUSE_MS = 200

for (const way of WAYS)
  test(`an issue is opened, discussed and closed, ${way}`, async () => {
    await using ann = await journey.hand(way)
    await ann.signIn('ann', forge.passwordOf('ann'))
    await ann.open('/ann/furnace/issues')
    await ann.follow('New issue')
    await ann.write('Title', `Cold ${way}`)
    await ann.write('Description', 'It went out *again*.')
    await ann.press('Preview')
    await ann.sees('again')
    await ann.press(way === 'without scripts' ? 'Submit' : 'Create issue')
    await ann.isAt(/\/issues\/\d+$/)
    const number = new URL(ann.page.url()).pathname.split('/').at(-1)
    const promise = ann.page.getByText('Paste or drop files. Ctrl ↵ submits.').first()
    assert.equal(await promise.isVisible(), way !== 'without scripts')
    await ann.write('Add a comment', 'Who was there?')
    await ann.press('Comment')
    await ann.sees('Who was there?')
    await ann.write('Add a comment', 'It was me.')
    await ann.press('Close')
    await ann.sees('closed this')
    const issue = await forge.call('ann', 'GET', `${REPO}/issues/${number}`)
    assert.deepEqual([issue.state, issue.comments, issue.body], ['closed', 2, 'It went out *again*.'])
  })

for (const way of WAYS)
  test(`issues are selected and closed together, ${way}`, async () => {
    const name = `heap-${way.replaceAll(' ', '-')}`
    await forge.call('ann', 'POST', '/user/repos', { name })
    for (const title of ['Ash', 'Slag'])
      await forge.call('ann', 'POST', `/repos/ann/${name}/issues`, { title })
    await using ann = await journey.hand(way)
    await ann.signIn('ann', forge.passwordOf('ann'))
    await ann.open(`/ann/${name}/issues?sort=oldest`)
    assert.equal(await ann.find('button', 'Apply').isVisible(), false)
    if (way === 'without scripts')
      for (const number of [1, 2]) await ann.press(`Select #${number}`, 'checkbox')
    else await ann.press('Select all', 'checkbox')
    if (way !== 'without scripts') await ann.sees('2 selected')
    await ann.press('Close')
    await ann.sees('Open 0')
    const left: object[] = await forge.call('ann', 'GET', `/repos/ann/${name}/issues`)
    assert.equal(left.length, 0)
  })

test('comments of others are announced, and shown only on request without moving the page', async () => {
  const { number } = await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Listen' })
  await using ann = await journey.hand('with scripts')
  await ann.signIn('ann', forge.passwordOf('ann'))
  const listening = ann.page.waitForResponse(/\/-\/live/)
  await ann.open(`/ann/furnace/issues/${number}`)
  await listening
  // Another tab shares this one's stream, and takes nothing from it.
  const forBoth = ann.page.waitForResponse(/\/-\/live\?topics=inbox/)
  const other = await ann.window.newPage()
  await other.goto(new URL('/notifications', ann.page.url()).href)
  await forBoth
  const place = () => ann.page.getByLabel('Add a comment').boundingBox()
  const before = await place()
  await forge.call('bob', 'POST', `${REPO}/issues/${number}/comments`, { body: 'Do you hear me?' })
  await ann.page.getByRole('button', { name: 'Show new activity (1)' }).waitFor()
  assert.deepEqual(await place(), before)
  assert.equal(await ann.page.getByText('Do you hear me?').count(), 0)
  await ann.write('Add a comment', 'half a')
  await ann.press('Show new activity (1)')
  await ann.sees('Do you hear me?')
  assert.equal(await ann.page.getByLabel('Add a comment').inputValue(), 'half a')
})

for (const transport of ['https', 'http'])
  test(`the inbox shows new notifications while it is open, as over ${transport}`, async () => {
    await using ann = await journey.hand('with scripts')
    // Browsers provide Web Locks, by which tabs share one stream, only on https.
    if (transport === 'http')
      await ann.page.addInitScript("Object.defineProperty(Navigator.prototype, 'locks', {})")
    await ann.signIn('ann', forge.passwordOf('ann'))
    const listening = ann.page.waitForResponse(/\/-\/live/)
    await ann.open('/notifications')
    await listening
    const title = `Smoke in the yard, seen over ${transport}`
    await forge.call('bob', 'POST', `${REPO}/issues`, { title, body: '@ann' })
    await ann.sees(title)
    const read = ann.page.waitForResponse((it) => it.request().method() === 'POST')
    await ann.follow(title)
    await read
    const left: { subject: { title: string } }[] = await forge.call('ann', 'GET', '/notifications')
    assert.ok(!left.some(({ subject }) => subject.title === title), 'opening it marks it as read')
  })

test('a card is dragged and moved by keys, while another user moves theirs', async () => {
  const board = { title: 'Shift', template_type: 'basic_kanban' }
  const { id } = await forge.call('ann', 'POST', `${REPO}/projects`, board)
  const columns: { id: number }[] = await forge.call('ann', 'GET', `${REPO}/projects/${id}/columns`)
  const put = async (issue: { id: number }, column: number) =>
    forge.call('ann', 'POST', `${REPO}/projects/${id}/columns/${columns[column]?.id}/issues/${issue.id}`)
  const [coal, ore] = await Promise.all(
    ['Coal', 'Ore'].map((title) => forge.call('bob', 'POST', `${REPO}/issues`, { title })),
  )
  for (const card of [coal, ore]) await put(card, 0)
  await using ann = await journey.hand('with scripts')
  await ann.signIn('ann', forge.passwordOf('ann'))
  const listening = ann.page.waitForResponse(/\/-\/live/)
  await ann.open(`/ann/furnace/projects/${id}`)
  await listening
  const column = (place: number) => ann.page.locator('[data-column]').nth(place)
  await column(0).getByText(`furnace#${coal.number}`).hover()
  await ann.page.mouse.down()
  await column(1).hover()
  await column(1).hover({ position: { x: 20, y: 60 } })
  const asked = ann.page.waitForResponse((it) => it.request().headers()['x-region'] === 'board')
  await put(ore, 2)
  await (await asked).finished()
  await column(1).hover()
  await ann.page.mouse.up()
  await column(1).getByRole('link', { name: 'Coal' }).waitFor()
  await column(2).getByRole('link', { name: 'Ore' }).waitFor()
  await column(1).getByRole('link', { name: 'Coal' }).focus()
  await ann.page.keyboard.press('Shift+ArrowRight')
  await column(2).getByRole('link', { name: 'Coal' }).waitFor()
})

test('a comment is formatted, completed, given a pasted picture, and saved as a draft meanwhile', async () => {
  const { number } = await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Bright' })
  await using ann = await journey.hand('with scripts')
  await ann.signIn('ann', forge.passwordOf('ann'))
  await ann.open(`/ann/furnace/issues/${number}`)
  const text = ann.page.getByLabel('Add a comment')
  await text.fill('loud')
  await text.selectText()
  await ann.page.getByRole('button', { name: 'Bold' }).last().click()
  await text.and(ann.page.locator(':focus')).waitFor()
  assert.equal(await text.inputValue(), '**loud**')
  await text.press('Control+End')
  await text.pressSequentially(' @bo')
  await ann.page.getByRole('option', { name: 'bob' }).waitFor()
  assert.deepEqual(await findBarriers(ann.page), [])
  await text.press('Enter')
  assert.equal(await text.inputValue(), '**loud** @bob ')
  await text.pressSequentially(`#${number}`)
  await ann.page.getByRole('option', { name: 'Bright' }).click()
  assert.equal(await text.inputValue(), `**loud** @bob #${number} `)
  await text.evaluate((area, picture) => {
    const clipboardData = new DataTransfer()
    const bytes = Uint8Array.from(atob(picture), (it) => it.charCodeAt(0))
    clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, PICTURE)
  assert.match(await text.inputValue(), /!\[\w+-image\.png\]\(attachment:\w+-image\.png\)/)
  await ann.page.getByText(/^Draft saved \d/).waitFor()
  await ann.press('Comment')
  const picture = ann.page.getByRole('img', { name: /image\.png$/ })
  await picture.waitFor()
  assert.match((await picture.getAttribute('src')) ?? '', /\/attachments\/[0-9a-f-]{36}$/)
})

test('a comment draft survives a killed node, both while it is written and when it is submitted', async () => {
  const { number } = await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Danger' })
  const path = `/ann/furnace/issues/${number}`
  await using ann = await journey.hand('with scripts')
  await ann.signIn('ann', forge.passwordOf('ann'))
  await ann.open(path)
  await ann.write('Add a comment', 'Half an hour of work.')
  await ann.page.waitForResponse(/\/-\/draft/)
  journey.kill()
  await ann.open(path)
  assert.equal(await ann.page.getByLabel('Add a comment').inputValue(), 'Half an hour of work.')
  await ann.page.getByLabel('Add a comment').fill('Half an hour of work, and more.')
  await ann.page.waitForResponse(/\/-\/draft/)
  journey.kill()
  await ann.page
    .getByRole('button', { name: 'Comment', exact: true })
    .click({ noWaitAfter: true })
    .catch(() => undefined)
  await openAfterFailure(ann, path)
  const said = await forge.call('ann', 'GET', `${REPO}/issues/${number}/comments`)
  const written = await ann.page.getByLabel('Add a comment').inputValue()
  assert.equal(said[0]?.body ?? written, 'Half an hour of work, and more.')
  if (said.length === 0) await ann.press('Comment')
  await ann.sees('Half an hour of work, and more.')
  await ann.open(path)
  assert.equal(await ann.page.getByLabel('Add a comment').inputValue(), '')
})

test('the palette finds things, also when its first request is lost, and lists every shortcut of a page', async () => {
  await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Needle' })
  await using ann = await journey.hand('with scripts')
  await ann.signIn('ann', forge.passwordOf('ann'))
  await ann.open('/ann/furnace/issues')
  await ann.page.route(/\/-\/find/, (route) => route.abort(), { times: 1 })
  await ann.page.keyboard.press('Control+k')
  const field = ann.page.getByRole('searchbox', { name: /Go to a repository/ })
  await field.fill('needle')
  await ann.page
    .getByRole('dialog')
    .getByRole('link', { name: /Needle/ })
    .waitFor()
  await ann.page.keyboard.press('Escape')
  await ann.page.getByRole('dialog').waitFor({ state: 'hidden' })
  await ann.page.keyboard.press('j')
  await ann.page.keyboard.press('Enter')
  await ann.isAt(/\/issues\/\d+$/)
  await ann.page.keyboard.press('?')
  await ann.page.getByRole('dialog').getByText('g n').waitFor()
  // Names are without their counters.
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Issues', exact: true }).waitFor()
})

test('the actions of a page are listed by a shortcut, and copied as curl commands without effect', async () => {
  const { number } = await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Told' })
  await using ann = await journey.hand('with scripts')
  await ann.window.grantPermissions(['clipboard-read', 'clipboard-write'])
  await ann.signIn('ann', forge.passwordOf('ann'))
  await ann.open(`/ann/furnace/issues/${number}`)
  await ann.write('Add a comment', "It's «here».")
  await ann.page.getByLabel('Add a comment').blur()
  await ann.page.keyboard.press('.')
  await ann.page.getByRole('searchbox', { name: /copy it as curl/ }).fill('comment')
  await ann.press(/^Copy as curl: Comment/)
  await ann.sees(/^Copied\. Put a token/)
  const copied = await ann.page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /curl -sS -X POST .*\/issues\/\d+\/comments.*It'\\''s «here»\./s)
  assert.equal((await forge.call('ann', 'GET', `${REPO}/issues/${number}`)).comments, 0)
  await ann.page.keyboard.press('Escape')
  assert.equal(await ann.page.getByLabel('Add a comment').inputValue(), "It's «here».")
})

/** The browser's error page may still be loading, and would replace this one. */
async function openAfterFailure(hand: Hand, path: string): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return await hand.open(path)
    } catch (error) {
      if (tries === TRIES) throw error
      await sleep(PAUSE_MS)
    }
}
