/**
 * Every user-editable field is full of markup, bidirectional control characters and endless words: all of it is shown as
 * text.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { SeededForge, WorkTree } from '../../src/cli/demo/forge.ts'
import { tryForge } from '../try-forge.ts'
import { openHeadlessShell, openWindow } from './chromium.ts'

const { TEST_POSTGRES_BIN: bin } = process.env
const tried = await tryForge(['--ssh-port', '0', ...(bin ? ['--postgres', bin] : [])], () => undefined)
const forge = new SeededForge(tried)
const browser = await openHeadlessShell()
after(async () => {
  await browser.close()
  await tried[Symbol.asyncDispose]()
})

/** Ends any attribute, element, comment and template, and runs if allowed. */
const EVIL = `"'><!--</title></textarea></script><img src=x onerror=hacked=1><script>hacked=1</script>\u202e\${1}`
/** The same for fields that are short or allow no slash. */
const SHORT = `"'><b onclick=hacked=1>`
const LONG = 'w'.repeat(10_000)
const TEXT = `${EVIL}\n\n[a](javascript:hacked=1) <a href="javascript:hacked=1">b</a> <svg onload=hacked=1> <style>*{display:none}</style>\n\n${LONG}`
const FILE = `<img src=x onerror=hacked=1>.md`

await forge.person('mal')
const base = '/repos/mal/evil'
await forge.call('mal', 'PATCH', '/user/settings', {
  full_name: EVIL.slice(0, 90),
  description: EVIL,
  location: SHORT,
  website: 'https://x.test/"onclick=hacked',
})
await forge.call('mal', 'POST', '/user/repos', { name: 'evil', description: EVIL, default_branch: 'main' })
await forge.call('mal', 'PATCH', base, { website: 'https://x.test/"><script>hacked=1</script>' })
const commit = await pushCode()
const label = await forge.call('mal', 'POST', `${base}/labels`, {
  name: SHORT,
  color: '#ff0000',
  description: EVIL,
})
const milestone = await forge.call('mal', 'POST', `${base}/milestones`, { title: SHORT, description: TEXT })
const issue = await forge.call('mal', 'POST', `${base}/issues`, {
  title: EVIL.slice(0, 200),
  body: TEXT,
  milestone: milestone.id,
  labels: [label.id],
})
await forge.call('mal', 'POST', `${base}/issues/${issue.number}/comments`, { body: TEXT })
await forge.call('mal', 'POST', `${base}/issues`, { title: LONG.slice(0, 200), body: LONG })
const pull = await forge.call('mal', 'POST', `${base}/pulls`, {
  title: EVIL.slice(0, 200),
  body: TEXT,
  head: 'other',
  base: 'main',
})
await forge.call('mal', 'POST', `${base}/pulls/${pull.number}/reviews`, {
  event: 'COMMENT',
  body: TEXT,
  comments: [{ path: FILE, body: TEXT, new_position: 1 }],
})
await forge.call('mal', 'POST', `${base}/releases`, { tag_name: 'v1', name: SHORT, body: TEXT })
await forge.call('mal', 'POST', `${base}/wiki/new`, {
  title: 'Home',
  content_base64: Buffer.from(TEXT).toString('base64'),
  message: EVIL,
})
await forge.call('mal', 'POST', `${base}/statuses/${commit}`, {
  state: 'failure',
  context: SHORT,
  description: EVIL.slice(0, 200),
  target_url: 'https://x.test/"><script>',
})
await forge.call('mal', 'POST', `${base}/hooks`, {
  type: 'gitea',
  config: { url: 'https://x.test/"><script>hacked=1</script>', content_type: 'json' },
})
await forge.call('mal', 'POST', '/orgs', {
  username: 'pit',
  full_name: EVIL.slice(0, 90),
  description: EVIL,
  location: SHORT,
})
await forge.call('mal', 'POST', '/orgs/pit/teams', {
  name: 'diggers',
  description: EVIL.slice(0, 200),
  permission: 'read',
  units: ['repo.code'],
})

async function pushCode(): Promise<string> {
  await using tree = await WorkTree.make('mal', forge.cloneUrl('mal', 'mal/evil'))
  await tree.git('config', 'user.name', '"><script>hacked=1</script>')
  const commit = await tree.commit(`${EVIL}\n\n${TEXT}`, {
    'README.md': TEXT,
    [FILE]: TEXT,
    'a"b\'<i>.ts': `const evil = '${EVIL}'\n`,
    'dir<script>/x.txt': LONG,
  })
  await tree.push('main')
  await tree.git('checkout', '--quiet', '-b', 'other')
  await tree.commit(EVIL, { [FILE]: `changed ${TEXT}`, 'a"b\'<i>.ts': `const evil = \`${EVIL}\`\n` })
  await tree.push('other')
  return commit
}

const at = (file: string) => file.split('/').map(encodeURIComponent).join('/')
const PAGES = [
  '/mal',
  '/pit',
  '/org/pit/teams',
  '/explore/repos',
  '/explore/users',
  '/search?q=%3Cscript%3E',
  '/',
  '/issues',
  '/pulls',
  '/notifications',
  '/mal/evil',
  `/mal/evil/src/branch/main/${at(FILE)}`,
  `/mal/evil/src/branch/main/${at('a"b\'<i>.ts')}`,
  `/mal/evil/src/branch/main/${at('dir<script>')}`,
  `/mal/evil/blame/branch/main/${at(FILE)}`,
  '/mal/evil/commits/branch/main',
  `/mal/evil/commit/${commit}`,
  '/mal/evil/compare/main...other',
  '/mal/evil/branches',
  '/mal/evil/releases',
  '/mal/evil/wiki',
  '/mal/evil/wiki/Home?action=_edit',
  '/mal/evil/wiki/Home?action=_revision',
  '/mal/evil/tags',
  '/mal/evil/releases/edit/v1',
  '/mal/evil/activity',
  '/mal/evil/find/branch/main?q=%22%3E%3Cscript%3Ehacked%3D1%3C%2Fscript%3E',
  `/mal/evil/_edit/main/${at(FILE)}`,
  `/mal/evil/_delete/main/${at(FILE)}`,
  '/mal/evil/issues?q=%22%3E%3Cscript%3Ehacked%3D1%3C%2Fscript%3E',
  `/mal/evil/issues/${issue.number}`,
  '/mal/evil/labels',
  '/mal/evil/milestones',
  '/mal/evil/pulls',
  `/mal/evil/pulls/${pull.number}`,
  `/mal/evil/pulls/${pull.number}/files`,
  `/mal/evil/pulls/${pull.number}/commits`,
  '/mal/evil/settings',
  '/mal/evil/settings/hooks',
  '/user/settings',
]

test('user input is shown as text on every page', async () => {
  const window = await openWindow(browser, { theme: 'light', width: 390 })
  await window.addCookies([await forge.signIn('mal')])
  const page = await window.newPage()
  const found: string[] = []
  page.on('console', (message) => {
    // Whatever the CSP had to block should not have been there.
    if (/policy/i.test(message.text())) found.push(`${page.url()}: ${message.text()}`)
  })
  for (const path of PAGES) {
    const answer = await page.goto(tried.url + path)
    if (answer?.status() !== 200) found.push(`${path} answers ${answer?.status()}`)
    const wrong = await page.evaluate(() => ({
      isHacked: 'hacked' in globalThis,
      // The head of a page has speculation rules, which run no code.
      scripts: [...document.querySelectorAll('script')].filter(
        (it) =>
          !it.src.includes('/-/assets/') &&
          !(it.type === 'speculationrules' && it.parentElement === document.head),
      ).length,
      handlers: [...document.querySelectorAll('*')].filter((it) =>
        [...it.attributes].some(({ name }) => name.startsWith('on')),
      ).length,
      links: [...document.querySelectorAll('a[href], form[action]')].filter((it) =>
        /^\s*javascript:/i.test(it.getAttribute('href') ?? it.getAttribute('action') ?? ''),
      ).length,
      styles: [...document.querySelectorAll('main style, main iframe, main object')].length,
      overflows: document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
    }))
    const clean = { isHacked: false, scripts: 0, handlers: 0, links: 0, styles: 0, overflows: false }
    if (!isDeepStrictEqual(wrong, clean)) found.push(`${path}: ${JSON.stringify(wrong)}`)
  }
  assert.deepEqual(found, [])
})
