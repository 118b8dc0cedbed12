/** Common tasks need no more clicks here than on GitHub, which needs the number beside each. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { SeededForge, WorkTree } from '../../../src/cli/demo/forge.ts'
import { tryForge } from '../../try-forge.ts'
import { openHeadlessShell, openWindow } from '../chromium.ts'

const { TEST_POSTGRES_BIN: bin } = process.env
const tried = await tryForge(['--ssh-port', '0', ...(bin ? ['--postgres', bin] : [])], () => undefined)
const browser = await openHeadlessShell()
after(async () => {
  await browser.close()
  await tried[Symbol.asyncDispose]()
})
const forge = new SeededForge(tried)
for (const login of ['ann', 'bob', 'cat']) await forge.person(login)
await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', default_branch: 'main' })
const REPO = '/repos/ann/anvil'
const LINES = Array.from({ length: 9 }, (_, i) => `export const blow${i} = ${i}\n`).join('')
const FILES_MAX = 50
const TRIES = 200
const PAUSE_MS = 100
const PATIENCE_MS = 20_000

/** A user with a mouse. Text is typed without clicks: whoever writes needs the same keys everywhere. */
class Mouse {
  readonly page: Page
  clicks = 0

  constructor(page: Page) {
    this.page = page
  }

  async click(
    role: 'button' | 'link' | 'checkbox' | 'radio' | 'summary',
    name: string | RegExp,
  ): Promise<void> {
    const { page } = this
    const found =
      role === 'summary'
        ? page.locator('summary', { hasText: name })
        : page.getByRole(role, { name, exact: typeof name === 'string' })
    await this.clickOn(found)
  }

  async clickOn(target: Locator): Promise<void> {
    this.clicks++
    await target.first().click()
  }

  /** Pressing, moving and releasing are one gesture. */
  async drag(from: Locator, to: Locator): Promise<void> {
    this.clicks++
    await from.hover()
    await this.page.mouse.down()
    await to.hover({ position: { x: 20, y: 10 } })
    await this.page.mouse.up()
  }

  async write(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).first().fill(text)
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor()
  }

  async isAt(path: RegExp): Promise<void> {
    await this.page.waitForURL(path)
  }
}

interface Task {
  /** Begins on this page, as this user. */
  readonly as: 'ann' | 'bob' | 'cat'
  readonly at: () => Promise<string>
  readonly does: (mouse: Mouse) => Promise<void>
  /** Clicks that GitHub needs from the same page to the same result. */
  readonly clicksOfGitHub: number
}

/** A branch with a commit of ann's, and its pull request. */
async function openPull(branch: string, files: Record<string, string>): Promise<string> {
  await pushBranch(branch, files)
  const wanted = { title: branch, head: branch, base: 'main' }
  const { number } = await forge.call('ann', 'POST', `${REPO}/pulls`, wanted)
  return `/ann/anvil/pulls/${number}`
}

async function pushBranch(branch: string, files: Record<string, string>): Promise<void> {
  await using tree = await WorkTree.make('ann', forge.cloneUrl('ann', 'ann/anvil'))
  await tree.git('pull', '--quiet', 'origin', 'main')
  await tree.git('checkout', '--quiet', '-b', branch)
  await tree.commit(`Change ${branch}`, files)
  await tree.push(branch)
}

/** Its merge check is over. */
async function openMergeable(branch: string): Promise<string> {
  const path = await openPull(branch, { [`${branch}.ts`]: LINES })
  const number = path.split('/').at(-1)
  const pull = () => forge.call('ann', 'GET', `${REPO}/pulls/${number}`)
  await until(`${path} is mergeable`, async () => (await pull()).mergeable)
  return path
}

/** What a job does. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.ok(tries < TRIES, `never: ${what}`)
    await sleep(PAUSE_MS)
  }
}

async function isNotified(title: string): Promise<boolean> {
  const threads: { subject: { title: string } }[] = await forge.call('ann', 'GET', '/notifications')
  return threads.some(({ subject }) => subject.title === title)
}

async function openMerged(branch: string): Promise<string> {
  const path = await openMergeable(branch)
  await forge.call('ann', 'POST', `${REPO}/pulls/${path.split('/').at(-1)}/merge`, { do: 'merge' })
  return path
}

async function openIssue(title: string): Promise<string> {
  const { number } = await forge.call('bob', 'POST', `${REPO}/issues`, { title, body: '@ann' })
  return `/ann/anvil/issues/${number}`
}

const TASKS: Readonly<Record<string, Task>> = {
  'open a pull request after a push': {
    as: 'ann',
    at: async () => {
      await pushBranch('after-push', { 'pushed.ts': LINES })
      const { value, name } = await forge.signIn('ann')
      const home = async () => {
        const headers = { cookie: `${name}=${value}` }
        const signal = AbortSignal.timeout(PATIENCE_MS)
        return (await fetch(`${forge.url}/ann/anvil`, { headers, signal })).text()
      }
      await until('the page tells of the push', async () => (await home()).includes('after-push"'))
      return '/ann/anvil'
    },
    does: async (mouse) => {
      await mouse.click('link', 'Compare & pull request: after-push')
      await mouse.click('button', 'Create pull request')
      await mouse.isAt(/\/pulls\/\d+$/)
    },
    clicksOfGitHub: 2,
  },
  'comment on three lines': {
    as: 'bob',
    at: async () => `${await openPull('three-lines', { 'three.ts': LINES })}/files`,
    does: async (mouse) => {
      await dragOverThree(mouse)
      await mouse.write('Your comment', 'Harder')
      await mouse.click('button', 'Add single comment')
      await mouse.sees('Lines 2 to 4')
    },
    clicksOfGitHub: 2,
  },
  'suggest a change of three lines': {
    as: 'bob',
    at: async () => `${await openPull('suggestion', { 'three.ts': LINES })}/files`,
    does: async (mouse) => {
      await dragOverThree(mouse)
      await mouse.click('button', 'Suggest change')
      await mouse.page.waitForFunction(() => {
        const text = document.querySelector<HTMLTextAreaElement>('textarea:focus')?.value ?? ''
        return /suggestion\n.*blow1.*\n.*blow2.*\n.*blow3/.test(text)
      })
      await mouse.click('button', 'Add single comment')
      await mouse.sees('Lines 2 to 4')
    },
    clicksOfGitHub: 3,
  },
  'finish a review of 50 files': {
    as: 'bob',
    at: async () => {
      const names = Array.from({ length: FILES_MAX }, (_, i) => [`many/${i}.ts`, LINES])
      return `${await openPull('many', Object.fromEntries(names))}/files`
    },
    does: async (mouse) => {
      await mouse.click('summary', 'Finish review')
      await mouse.write('Summary', 'All seen')
      await mouse.click('button', 'Submit review')
      await mouse.sees('All seen')
    },
    clicksOfGitHub: 2,
  },
  'merge a pull request': {
    as: 'ann',
    at: () => openMergeable('ready'),
    does: async (mouse) => {
      await mouse.click('button', 'Merge')
      await mouse.sees('Merged by')
    },
    clicksOfGitHub: 2,
  },
  'delete the branch of a merged pull request': {
    as: 'ann',
    at: () => openMerged('over'),
    does: async (mouse) => {
      await mouse.click('button', 'Delete branch')
      await mouse.page.getByRole('button', { name: 'Restore branch' }).waitFor()
    },
    clicksOfGitHub: 1,
  },
  'revert a merged pull request': {
    as: 'ann',
    at: () => openMerged('wrong'),
    does: async (mouse) => {
      await mouse.click('button', 'Revert')
      await mouse.click('button', 'Create pull request')
      await mouse.isAt(/\/pulls\/\d+$/)
    },
    clicksOfGitHub: 2,
  },
  'edit a file without write access': {
    as: 'bob',
    at: async () => '/ann/anvil/src/branch/main/strike.ts',
    does: async (mouse) => {
      await mouse.click('link', 'Fork and edit')
      await mouse.page.locator('.cm-content').waitFor()
    },
    clicksOfGitHub: 2,
  },
  'propose a change of a file without write access': {
    as: 'bob',
    at: async () => '/ann/anvil/src/branch/main/strike.ts',
    does: async (mouse) => {
      await mouse.click('link', 'Fork and edit')
      await mouse.page.locator('.cm-content').click()
      await mouse.page.keyboard.type('// harder\n')
      await mouse.click('button', 'Propose changes')
      await mouse.click('button', 'Create pull request')
      await mouse.isAt(/\/ann\/anvil\/pulls\/\d+$/)
    },
    clicksOfGitHub: 6,
  },
  'clear a notification by reading': {
    as: 'ann',
    at: async () => {
      const path = await openIssue('Read me')
      await until('ann is notified', () => isNotified('Read me'))
      return path
    },
    does: () => until('the notification is read', async () => !(await isNotified('Read me'))),
    clicksOfGitHub: 0,
  },
  'put an issue on a board': {
    as: 'ann',
    at: async () => {
      await forge.call('ann', 'POST', `${REPO}/projects`, { title: 'Shift', template_type: 'basic_kanban' })
      return openIssue('Board me')
    },
    does: async (mouse) => {
      await mouse.click('summary', 'Projects')
      await mouse.click('checkbox', 'Shift')
      await mouse.page.getByRole('link', { name: 'Shift' }).waitFor()
    },
    clicksOfGitHub: 2,
  },
  'close an issue with a comment': {
    as: 'ann',
    at: () => openIssue('Close me'),
    does: async (mouse) => {
      await mouse.write('Add a comment', 'Done')
      await mouse.click('button', 'Close')
      await mouse.sees('closed this')
    },
    clicksOfGitHub: 1,
  },
  'open an issue': {
    as: 'bob',
    at: async () => '/ann/anvil',
    does: async (mouse) => {
      await mouse.click('link', /^Issues\s*\d+$/)
      await mouse.click('link', 'New issue')
      await mouse.write('Title', 'A new one')
      await mouse.click('button', 'Create issue')
      await mouse.isAt(/\/issues\/\d+$/)
    },
    clicksOfGitHub: 3,
  },
  'star a repository': {
    as: 'bob',
    at: async () => '/ann/anvil',
    does: async (mouse) => {
      await mouse.click('button', /^Star/)
      await mouse.page.getByRole('button', { name: /^Unstar/ }).waitFor()
    },
    clicksOfGitHub: 1,
  },
  'fork a repository': {
    as: 'cat',
    at: async () => '/ann/anvil',
    does: async (mouse) => {
      await mouse.click('link', /^Fork/)
      await mouse.click('button', /^Fork|^Create fork/)
      await mouse.isAt(/\/cat\/anvil$/)
    },
    clicksOfGitHub: 2,
  },
}

async function dragOverThree(mouse: Mouse): Promise<void> {
  const [first, last] = [1, 3].map((it) => mouse.page.locator('ins', { hasText: `blow${it} ` }))
  assert.ok(first && last)
  // The button appears beside the line under the cursor.
  await first.hover({ position: { x: 20, y: 10 } })
  await mouse.drag(mouse.page.getByRole('button', { name: 'Comment on this line' }), last)
  await mouse.sees('Comment on lines 2 to 4')
}

await pushFirst()
for (const [task, { as, at, does, clicksOfGitHub }] of Object.entries(TASKS))
  test(`users ${task} in at most ${clicksOfGitHub === 1 ? 'one click' : `${clicksOfGitHub} clicks`}`, async () => {
    const window = await openWindow(browser, { theme: 'light', width: 1280 })
    window.setDefaultTimeout(PATIENCE_MS)
    await window.addCookies([await forge.signIn(as)])
    const path = await at()
    const mouse = new Mouse(await window.newPage())
    await mouse.page.goto(forge.url + path)
    await does(mouse)
    assert.ok(mouse.clicks <= clicksOfGitHub, `${mouse.clicks} clicks`)
    await window.close()
  })

async function pushFirst(): Promise<void> {
  await using tree = await WorkTree.make('ann', forge.cloneUrl('ann', 'ann/anvil'))
  await tree.commit('Strike', { 'strike.ts': LINES })
  await tree.git('push', '--quiet', 'origin', 'main')
}
