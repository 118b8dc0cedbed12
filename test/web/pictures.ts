/** `npm run pictures [words of paths]`: screenshots of every page in both themes and both widths, for review. */
import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { tryForge } from '../try-forge.ts'
import { LOOKS, type Look, look, openChromium, openTab, openWindow } from './chromium.ts'
import { awaitedOn, type Example } from './examples/example.ts'
import { EXAMPLES } from './examples/index.ts'
import { seed } from './seed/seed.ts'

const { PICTURES: FOLDER = 'pictures', PICTURES_LANGUAGE: language = 'en' } = process.env
const wanted = process.argv.slice(2)

await mkdir(FOLDER, { recursive: true })
await using forge = await tryForge(['--ssh-port', '0'], () => undefined)
const seeded = await seed(forge)
const browser = await openChromium()
for (const it of LOOKS) {
  const tabs = new Map<string | undefined, Page>()
  for (const [path, example] of Object.entries(EXAMPLES)) {
    if (wanted.length > 0 && !wanted.some((word) => word === `=${path}` || path.includes(word))) continue
    const tab = tabs.get(example.as) ?? (await tabOf(it, example.as))
    tabs.set(example.as, tab)
    await look(tab, forge.url + example.address(seeded), awaitedOn(example))
    const name = path.replaceAll(/[^\w-]+/g, '_').replace(/^_/, '') || 'home'
    await tab.screenshot({
      path: `${FOLDER}/${name}-${it.theme}-${it.width}.png`,
      fullPage: it.width === 1280,
    })
  }
  for (const tab of tabs.values()) await tab.context().close()
}
await browser.close()
console.log(`pictures are in ${FOLDER}`)

async function tabOf(it: Look, as: Example['as']): Promise<Page> {
  const window = await openWindow(browser, { ...it, language })
  if (as !== undefined)
    await window.addCookies([await seeded.forge.signIn(as === 'admin' ? forge.admin : as)])
  return openTab(window)
}
