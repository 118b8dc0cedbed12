/**
 * A first repository with its first push; then code is browsed, blamed and traced; in every mode, over nodes that are
 * killed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, WorkTree } from '../../../src/cli/demo/forge.ts'
import { JourneyForge } from './forge.ts'
import { type Hand, WAYS } from './hand.ts'

const forge = await JourneyForge.start()

for (const way of WAYS)
  test(`a first repository is created, pushed to and found, ${way}`, async () => {
    const login = `new-${way.replaceAll(' ', '-')}`
    await forge.seeded.person(login)
    await using hand = await forge.hand(way)
    await hand.signIn(login, PASSWORD)
    await hand.open('/repo/create')
    await hand.write('Name', 'first')
    await hand.press('Create repository')
    await hand.isAt(/\/first$/)
    if (way === 'by keyboard alone') forge.kill()
    await using tree = await WorkTree.make(login, forge.seeded.cloneUrl(login, `${login}/first`))
    await tree.git('pull', '--quiet', 'origin', 'main')
    await tree.commit('Fire', { 'README.md': '# The first fire\n' })
    await tree.git('push', '--quiet', 'origin', 'main')
    await hand.open(`/${login}/first`)
    await hand.seesHeading('The first fire')
    await hand.open('/explore/repos?q=first')
    await hand.follow(`${login}/first`)
    await hand.seesHeading('The first fire')
  })

await forge.seeded.person('smith')
await forge.seeded.call('smith', 'POST', '/user/repos', { name: 'anvil', default_branch: 'main' })
const first = await pushTwice()

for (const way of WAYS)
  test(`code is browsed, blamed, and traced to the commit that added a line, ${way}`, async () => {
    await using hand = await forge.hand(way)
    await hand.open('/smith/anvil')
    if (way === 'with scripts') await messagesHaveRoom(hand)
    await hand.follow('src')
    await hand.follow('strike.ts')
    await hand.sees('hammer')
    await hand.follow('Blame')
    await hand.isAt(/\/blame\/branch\/main\/src\/strike\.ts$/)
    await hand.sees('Strike once')
    await hand.sees('Strike twice')
    if (way === 'with scripts') await blamedLinesAreWhole(hand)
    if (way === 'with scripts') forge.kill()
    await hand.follow('History')
    await hand.isAt(/\/commits\/branch\/main\/src\/strike\.ts$/)
    await hand.follow('Strike once')
    await hand.isAt(/\/commit\//)
    assert.equal(new URL(hand.page.url()).pathname, `/smith/anvil/commit/${first}`)
    await hand.seesHeading('Strike once')
    await hand.page.goBack()
    await hand.isAt(/\/commits\/branch\/main\/src\/strike\.ts$/)
  })

test('a file is edited: the text field works at once, and the editor takes over its text and cursor', async () => {
  await using hand = await forge.hand('with scripts')
  await hand.signIn('smith', PASSWORD)
  const { page } = hand
  const { promise: loaded, resolve: letLoad } = Promise.withResolvers<void>()
  await page.route('**/modules/**', async (route) => {
    await loaded
    await route.continue()
  })
  await hand.open('/smith/anvil/_edit/main/src/strike.ts')
  await page.locator('textarea[name="text"]').click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('// hot\n')
  letLoad()
  const editor = page.locator('.cm-content')
  await editor.waitFor()
  await page.keyboard.type('// iron\n')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('if (hammer) {\nstrike()')
  for (const key of ['ArrowLeft', 'ArrowRight', '?']) await page.keyboard.press(key)
  await page.keyboard.press('Control+Z')
  await page.keyboard.press('Tab')
  assert.deepEqual((await editor.locator('.cm-line').allTextContents()).slice(0, 2), ['// hot', '// iron'])
  assert.equal(await page.locator('.cm-lineNumbers .cm-gutterElement', { hasText: /^4$/ }).count(), 1)
  assert.notEqual(await editor.locator('.cm-line span').count(), 0, 'nothing is highlighted')
  await page.keyboard.press('Control+F')
  await page.getByPlaceholder('Find').waitFor()
  await page.keyboard.press('Escape')
  // Tab indents, except after Escape.
  assert.ok(await page.evaluate(() => document.activeElement?.matches('.editor')))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  assert.ok(!(await page.evaluate(() => document.activeElement?.matches('.editor'))))
  await hand.press('Commit')
  await hand.isAt(/\/src\/branch\/main\/src\/strike\.ts$/)
  const { content } = await forge.seeded.call('smith', 'GET', '/repos/smith/anvil/contents/src/strike.ts')
  const text = Buffer.from(content, 'base64').toString()
  assert.equal(
    text,
    '// hot\n// iron\nexport const hammer = 1\nexport const tongs = 2\nif (hammer) {\n  strike()  ',
  )
})

for (const way of ['with scripts', 'without scripts'] as const)
  test(`Markdown is previewed before it is committed, ${way}`, async () => {
    await using hand = await forge.hand(way)
    await hand.signIn('smith', PASSWORD)
    await hand.open('/smith/anvil/_new/main')
    await hand.write('Path', `docs/${way.replace(' ', '-')}.md`)
    if (way === 'with scripts') await hand.page.locator('.cm-content').waitFor()
    await hand.write('Text', '# Iron\n\nIt is [hot](heat.md).')
    await hand.press('Preview')
    await hand.seesHeading('Iron')
    const link = hand.page.getByRole('link', { name: 'hot' })
    assert.match(
      (await link.getAttribute('href')) ?? '',
      /\/smith\/anvil\/src\/branch\/main\/docs\/heat\.md$/,
    )
    if (way === 'with scripts') {
      await hand.press('Edit')
      await hand.page.locator('.cm-content').waitFor()
    }
    await hand.press(way === 'with scripts' ? 'Commit' : 'Submit')
    await hand.isAt(/\/src\/branch\/main\/docs\//)
    await hand.seesHeading('Iron')
  })

test('a conflict is resolved and committed', async () => {
  await using hand = await forge.hand('with scripts')
  await hand.signIn('smith', PASSWORD)
  const pull = await makeConflict()
  const { page } = hand
  const link = page.getByRole('link', { name: 'Resolve conflicts' })
  // A job computes whether it merges.
  for (let tries = 0; tries < 50 && !(await link.isVisible()); tries++)
    await hand.open(`/smith/anvil/pulls/${pull}`)
  await hand.follow('Resolve conflicts')
  const editor = page.locator('.cm-content')
  await editor.waitFor()
  const [mark, commit] = [hand.find('button', 'Mark as resolved'), hand.find('button', 'Commit merge')]
  await hand.press('Next conflict')
  assert.deepEqual([await mark.isDisabled(), await commit.isDisabled()], [true, true])
  // The cursor is in the line of the first marker.
  for (const key of ['Control+Shift+K', 'ArrowDown', 'Control+Shift+K', 'Control+Shift+K', 'Control+Shift+K'])
    await page.keyboard.press(key)
  assert.deepEqual(await editor.locator('.cm-line').allTextContents(), ['ours', ''])
  await mark.click()
  await commit.click()
  await hand.isAt(new RegExp(`/pulls/${pull}$`))
  const { content } = await forge.seeded.call(
    'smith',
    'GET',
    '/repos/smith/anvil/contents/clash.md?ref=clash',
  )
  assert.equal(Buffer.from(content, 'base64').toString(), 'ours\n')
})

/** Both branches add the same file. */
async function makeConflict(): Promise<number> {
  const add = (text: string, more: object) =>
    forge.seeded.call('smith', 'POST', '/repos/smith/anvil/contents/clash.md', {
      content: Buffer.from(text).toString('base64'),
      ...more,
    })
  await add('ours\n', { new_branch: 'clash' })
  await add('theirs\n', {})
  const wanted = { title: 'Clash', head: 'clash', base: 'main' }
  return (await forge.seeded.call('smith', 'POST', '/repos/smith/anvil/pulls', wanted)).number
}

/** Commit messages have the widest column of a file list; folders are filled. */
async function messagesHaveRoom({ page }: Hand): Promise<void> {
  const row = page.locator('.tree tbody tr').first()
  const widths = await row.evaluate((it) => [...it.children].map((cell) => cell.clientWidth))
  assert.equal(Math.max(...widths), widths[1], `${widths}`)
  const fill = await row.locator('.icon use').evaluate((it) => getComputedStyle(it).fill)
  assert.notEqual(fill, 'none')
}

/** A commit takes one line beside one line of code, and its age is not cut. */
async function blamedLinesAreWhole({ page }: Hand): Promise<void> {
  for (const block of await page.locator('.blame-block').all()) {
    const [lines, height] = await block.evaluate((it) => [it.querySelectorAll('.l').length, it.clientHeight])
    if (lines === 1) assert.ok(height <= 26, `one line is ${height} px high`)
    const [age, code] = await Promise.all(['time', 'pre'].map((it) => block.locator(it).boundingBox()))
    assert.ok(age && code)
    assert.ok(age.x + age.width <= code.x, 'the age is cut')
  }
}

async function pushTwice(): Promise<string> {
  await using tree = await WorkTree.make('smith', forge.seeded.cloneUrl('smith', 'smith/anvil'))
  const once = await tree.commit('Strike once', { 'src/strike.ts': 'export const hammer = 1\n' })
  await tree.commit('Strike twice', { 'src/strike.ts': 'export const hammer = 1\nexport const tongs = 2\n' })
  await tree.git('push', '--quiet', 'origin', 'main')
  return once
}
