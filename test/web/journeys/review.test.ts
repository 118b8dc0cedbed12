/** A review over two versions: comments, a verdict, changes since, and a merge; with scripts, without, by keyboard alone. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { PASSWORD, WorkTree } from '../../../src/cli/demo/forge.ts'
import { JourneyForge } from './forge.ts'
import { type Hand, WAYS, type Way } from './hand.ts'

const forge = await JourneyForge.start()
const { seeded } = forge
for (const login of ['ann', 'bob']) await seeded.person(login)

const CODE = 'export const heat = () => 20\nexport const cool = () => 0\n'

const README = Array.from({ length: 60 }, (_, i) => `ore ${i + 1}\n`).join('')

/** A repository of ann's with a pull request of bob's. */
async function prepare(name: string) {
  const repository = `ann/${name}`
  await seeded.call('ann', 'POST', '/user/repos', { name })
  await seeded.call('ann', 'PUT', `/repos/${repository}/collaborators/bob`, { permission: 'write' })
  const tree = await WorkTree.make('bob', seeded.cloneUrl('bob', repository))
  await tree.commit('Begin', { 'README.md': README })
  await tree.git('push', '--quiet', 'origin', 'HEAD:main')
  await tree.git('checkout', '--quiet', '-b', 'topic')
  await tree.commit('Heat', { 'src/heat.ts': CODE, 'README.md': README.replace('ore 40\n', 'iron\n') })
  await tree.push('topic')
  const { number } = await seeded.call('bob', 'POST', `/repos/${repository}/pulls`, {
    title: 'Heat',
    head: 'topic',
    base: 'main',
  })
  return { repository, tree, number, path: `/${repository}/pulls/${number}` }
}

/** Both lines of the new file: dragged over, with keys, or in fields. */
async function pickLines(hand: Hand, way: Way, files: string): Promise<void> {
  const { page } = hand
  if (way === 'without scripts') {
    await hand.follow('Comment on src/heat.ts')
    await hand.write('From line', '1')
    return hand.write('Line', '2')
  }
  if (way === 'by keyboard alone') {
    const file = createHash('sha1').update('src/heat.ts').digest('hex')
    await hand.open(`${files}#diff-${file}R1`)
    await page.locator('.current').waitFor()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Enter')
  } else {
    const [first, last] = ['heat', 'cool'].map((name) => page.locator('ins', { hasText: `const ${name}` }))
    await first?.hover({ position: { x: 20, y: 10 } })
    await hand.find('button', 'Comment on this line').hover()
    await page.mouse.down()
    await last?.hover({ position: { x: 20, y: 10 } })
    await page.mouse.up()
  }
  await hand.sees('Comment on lines 1 to 2')
}

for (const way of WAYS)
  test(`a pull request is reviewed twice and merged, ${way}`, { timeout: 180_000 }, async () => {
    const { repository, tree, number, path } = await prepare(`ore-${way.replaceAll(' ', '-')}`)
    await using _tree = tree
    await using hand = await forge.hand(way)
    await hand.signIn('ann', PASSWORD)

    await hand.open(`${path}/files`)
    await hand.follow('Show hidden lines')
    await hand.sees('ore 30')
    // With scripts it stays the same page.
    assert.equal(hand.page.url().includes('whole='), way === 'without scripts')
    await pickLines(hand, way, `${path}/files`)
    await hand.write('Your comment', 'Hotter, please')
    if (way !== 'without scripts') {
      await hand.press('Suggest change')
      await hand.page.waitForFunction(() =>
        /suggestion\n.*heat.*\n.*cool/.test(
          document.querySelector<HTMLTextAreaElement>('textarea:focus')?.value ?? '',
        ),
      )
    }
    await hand.press('Start a review')
    await hand.sees('Hotter, please')
    await hand.sees('Lines 1 to 2')
    if (way !== 'without scripts') {
      await hand.press('Add suggestion to batch', 'checkbox')
      await hand.seesButton('Commit suggestions (1)')
    }
    // The pending comments are hers alone, and not in the memory of any node.
    if (way !== 'without scripts') forge.kill()
    await hand.open(`${path}/files`)
    await hand.sees('Hotter, please')
    await hand.press('Finish review (1)', 'summary')
    await hand.sees('1 pending comment will be submitted.')
    await hand.press('Request changes', 'radio')
    await hand.write('Summary', 'Too cold')
    await hand.press('Submit review')
    await hand.sees('requested changes')
    const reviews = await seeded.call('bob', 'GET', `/repos/${repository}/pulls/${number}/reviews`)
    assert.equal(reviews.at(-1).state, 'REQUEST_CHANGES')

    await tree.commit('Hotter', { 'src/heat.ts': CODE.replace('20', '1_200'), 'src/more.ts': 'export {}\n' })
    await tree.push('topic')

    await hand.open(`${path}/files`)
    await hand.follow('Since your review (v1)')
    await hand.sees('Changes since version 1')
    await hand.sees('1_200')
    await hand.follow('All changes')
    await hand.press('Viewed', 'checkbox')
    await hand.press('Finish review', 'summary')
    await hand.press('Approve', 'radio')
    await hand.press('Submit review')
    await hand.sees('approved these changes')
    await hand.press('Merge')
    await hand.sees('Merged by')
    const pull = await seeded.call('bob', 'GET', `/repos/${repository}/pulls/${number}`)
    assert.equal(pull.merged, true)
  })
