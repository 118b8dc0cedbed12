/**
 * A user at a browser, who knows labels and nothing of the markup. The same journey runs with scripts, without them, and
 * by keyboard alone.
 */
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { openWindow } from '../chromium.ts'

export type Way = 'with scripts' | 'without scripts' | 'by keyboard alone'
export const WAYS: readonly Way[] = ['with scripts', 'without scripts', 'by keyboard alone']

type Name = string | RegExp
type Pressable = 'button' | 'link' | 'checkbox' | 'radio' | 'tab' | 'summary'

const PATIENCE_MS = 20_000
const TABS_MAX = 400
const SHOWN_MAX = 1_000

export class Hand implements AsyncDisposable {
  readonly window: BrowserContext
  readonly page: Page
  readonly #way: Way
  readonly #base: string

  private constructor(window: BrowserContext, page: Page, way: Way, base: string) {
    this.window = window
    this.page = page
    this.#way = way
    this.#base = base
  }

  static async at(browser: Browser, way: Way, base: string): Promise<Hand> {
    const window = await openWindow(browser, {
      theme: 'light',
      width: 1280,
      hasScripts: way !== 'without scripts',
    })
    window.setDefaultTimeout(PATIENCE_MS)
    return new Hand(window, await window.newPage(), way, base)
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.#base + path)
  }

  async press(name: Name, role: Pressable = 'button'): Promise<void> {
    await this.#press(this.find(role, name))
  }

  async follow(name: Name): Promise<void> {
    await this.#press(this.find('link', name))
  }

  /** Enters text into the field with this label. */
  async write(label: Name, text: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: typeof label === 'string' }).first()
    if (this.#way !== 'by keyboard alone') return field.fill(text)
    await this.#reach(field)
    await this.page.keyboard.press('Control+A')
    await this.page.keyboard.insertText(text)
  }

  async choose(label: Name, value: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: typeof label === 'string' }).first()
    if (this.#way === 'by keyboard alone') await this.#reach(field)
    await field.selectOption(value)
  }

  async sees(text: Name): Promise<void> {
    await this.#until(this.page.getByText(text).first().waitFor({ timeout: PATIENCE_MS }))
  }

  /** The secret that is shown once. */
  async secret(): Promise<string> {
    return ((await this.page.locator('.secret').first().textContent()) ?? '').trim()
  }

  async seesHeading(text: Name): Promise<void> {
    await this.#until(
      this.page.getByRole('heading', { name: text }).first().waitFor({ timeout: PATIENCE_MS }),
    )
  }

  async seesButton(name: Name): Promise<void> {
    await this.#until(this.find('button', name).waitFor({ timeout: PATIENCE_MS }))
  }

  async isAt(path: RegExp): Promise<void> {
    await this.#until(this.page.waitForURL(path, { timeout: PATIENCE_MS }))
  }

  /** Adds the visible page to the error of a timeout. */
  async #until(waited: Promise<void>): Promise<void> {
    await waited.catch(async (error: Error) => {
      const shown = await this.page
        .locator('main')
        .ariaSnapshot({ timeout: 1_000 })
        .catch(() => 'no page')
      throw new Error(`${error.message}\n${this.page.url()} shows: ${shown.slice(0, SHOWN_MAX)}`)
    })
  }

  find(role: Pressable, name: Name): Locator {
    if (role === 'summary') return this.page.locator('summary', { hasText: name }).first()
    return this.page.getByRole(role, { name, exact: typeof name === 'string' }).first()
  }

  async #press(target: Locator): Promise<void> {
    if (this.#way !== 'by keyboard alone') return target.click()
    if (await target.evaluate((element) => element.matches('input[type="radio"]')))
      return this.#choose(target)
    await this.#reach(target)
    const isBox = await target.evaluate((element) => element.matches('input[type="checkbox"]'))
    await this.page.keyboard.press(isBox ? 'Space' : 'Enter')
    // A key press may navigate a moment later.
    await this.page.waitForLoadState('load').catch(() => undefined)
  }

  /** Tab leads to the selected item of a group, arrow keys from there to the others. */
  async #choose(target: Locator): Promise<void> {
    const name = await target.getAttribute('name')
    await this.#reach(this.page.locator(`input[type="radio"][name="${name}"]:checked`).last())
    for (let arrows = 0; arrows < TABS_MAX && !(await target.isChecked()); arrows++)
      await this.page.keyboard.press('ArrowDown')
  }

  /** Tab by tab, as without a mouse. */
  async #reach(target: Locator): Promise<void> {
    await target.waitFor({ timeout: PATIENCE_MS })
    for (let tabs = 0; tabs < TABS_MAX; tabs++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.page.keyboard.press('Tab')
    }
    assert.fail(`no key leads to ${await target.evaluate((element) => element.outerHTML.slice(0, 200))}`)
  }

  /** With user name and password. */
  async signIn(login: string, password: string): Promise<void> {
    await this.open('/user/login')
    await this.write('Username or email address', login)
    await this.write('Password', password)
    await this.press('Sign in')
    await this.page.waitForURL((url) => !url.pathname.startsWith('/user/login'), { timeout: PATIENCE_MS })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.window.close()
  }
}
