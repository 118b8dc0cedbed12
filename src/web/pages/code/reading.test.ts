/** Reading code as an anonymous user: home, folders, files, blame, history, finder; and no access to private code. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GitClient, startForge } from '#testing'
import { commitAs, writeIn } from '#testing/slices/contents'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const HOSTILE = `<script>alert("1")</script>'"\u202e`
const MAIN = '/** Heats ore. */\nexport const heat = (ore: Ore) => smelt(ore)\n'
const README = `# Site

See [the guide](docs/guide.md#top), ![ore](docs/ore.png), [all](/docs) and [up](../../..//../x).

## Use it

\`\`\`ts
const a = '</code>'
\`\`\`
`

let git: GitClient
let first: string

before(async () => {
  for (const name of ['ann', 'eve']) await forge.person(name)
  for (const [name, isPrivate] of [
    ['site', false],
    ['vault', true],
    ['empty', false],
  ] as const)
    await forge.call('ann', 'POST', '/user/repos', { name, private: isPrivate, description: HOSTILE })
  git = await GitClient.open(forge, 'ann', 'ann/site')
  await writeIn(git, 'src/main.ts', MAIN)
  await writeIn(git, 'README.md', README)
  await writeIn(git, 'docs/guide.md', '# Guide\n')
  await writeIn(git, 'docs/sub/deep.txt', 'deep\n')
  await writeIn(git, 'win.txt', 'one\r\ntwo\r\n')
  first = await commitAs(git, {
    title: `First ${HOSTILE}`,
    date: '2020-01-01T10:00:00Z',
    email: 'ann@example.test',
  })
  await writeIn(git, 'src/main.ts', `${MAIN}// more\n`)
  await writeIn(git, 'hostile <b>.txt', HOSTILE)
  await writeIn(git, 'data.bin', Buffer.from([0, 1, 2, 3]))
  await commitAs(git, {
    title: 'Second\n\nWith a reason.',
    date: '2020-02-01T10:00:00Z',
    email: 'ann@example.test',
  })
  const link = await git.ok('hash-object', '-w', 'docs/guide.md')
  await writeIn(git, 'target', '../docs/guide.md')
  const target = await git.ok('hash-object', '-w', 'target')
  await git.ok('update-index', '--add', '--cacheinfo', `120000,${target},src/link`)
  await git.ok('commit', '--quiet', '--message', `Link ${link.slice(0, 4)}`)
  await git.ok(
    'push',
    '--quiet',
    'origin',
    'HEAD:refs/heads/main',
    'HEAD:refs/heads/feature/deep/one',
    `${first}:refs/tags/v1/a`,
  )
})
after(() => git[Symbol.asyncDispose]())

const nobody = forge.browser()
const see = async (path: string, status = 200) => {
  const sheet = await nobody.get(path)
  assert.equal(sheet.status, status, path)
  assert.doesNotMatch(sheet.text, /<script>alert/)
  return sheet.text
}

test('the home page shows the root folder, last commit, readme and clone URLs', async () => {
  const text = await see('/ann/site')
  assert.match(text, /href="\/ann\/site\/src\/branch\/main\/src"/)
  assert.match(text, /3 commits/)
  assert.match(text, /2 branches/)
  assert.match(text, /1 tag/)
  assert.match(text, /git clone http/)
  assert.match(text, /First &lt;script&gt;/)
})

test('links in a readme are relative to its folder, and headings have ids', async () => {
  const text = await see('/ann/site')
  assert.match(text, /href="\/ann\/site\/src\/branch\/main\/docs\/guide.md#top"/)
  assert.match(text, /src="\/ann\/site\/raw\/branch\/main\/docs\/ore.png"/)
  assert.match(text, /href="\/ann\/site\/src\/branch\/main\/docs"/)
  assert.match(text, /href="\/ann\/site\/src\/branch\/main\/x"/)
  assert.match(text, /<h2 id="user-content-use-it">/)
  assert.match(text, /<span class="tk">const <\/span>a = <span class="ts">&#39;&lt;\/code&gt;&#39;<\/span>/)
})

test('an empty repository shows setup commands to its owner and a note to others', async () => {
  const ann = await forge.browserOf('ann')
  assert.match((await ann.get('/ann/empty')).text, /git push -u origin main/)
  assert.doesNotMatch(await see('/ann/empty'), /git push/)
})

test('a file has highlighted lines with ids, also on branches with slashes in their names', async () => {
  for (const place of ['branch/main', 'branch/feature/deep/one', `commit/${first}`, 'tag/v1/a']) {
    const text = await see(`/ann/site/src/${place}/src/main.ts`)
    assert.match(text, /<span class="l" id="L2" data-l="2"><span class="tk">export const <\/span>/)
  }
  assert.match(
    await see('/ann/site/src/branch/main/hostile%20%3Cb%3E.txt'),
    /contains bidirectional Unicode characters/,
  )
})

test('beside a file its parent folders and sibling files are listed', async () => {
  const text = await see('/ann/site/src/branch/main/docs/sub/deep.txt')
  const [, tree = ''] = /<nav class="file-tree"(.*?)<\/nav>/s.exec(text) ?? []
  const places = [...tree.matchAll(/href="\/ann\/site\/src\/branch\/main\/?([^"]*)"/g)].map((it) => it[1])
  assert.deepEqual(places, ['', 'docs', 'docs/sub', 'docs/sub/deep.txt'])
  assert.match(tree, /deep\.txt" title="deep\.txt" aria-current="page"/)
  const top = await see('/ann/site/src/branch/main/README.md')
  assert.match(top, /title="hostile &lt;b&gt;\.txt"/)
})

test('a text file is rendered or shown as source, and a binary file is reported as such', async () => {
  assert.match(await see('/ann/site/src/branch/main/docs/guide.md'), /<h1 id="user-content-guide">/)
  assert.match(await see('/ann/site/src/branch/main/docs/guide.md?display=source'), /id="L1"/)
  assert.match(await see('/ann/site/src/branch/main/data.bin'), /Binary file not shown/)
  assert.match(
    await see('/ann/site/src/branch/main/src/link'),
    /href="\/ann\/site\/src\/branch\/main\/docs\/guide.md"/,
  )
  await see('/ann/site/src/branch/main/nothing', 404)
  await see('/ann/site/src/branch/nothing', 404)
})

test('old addresses and those of other forges redirect to the same file', async () => {
  for (const [from, to] of [
    ['blob/main/src/main.ts', 'branch/main/src/main.ts'],
    ['tree/feature/deep/one/docs', 'branch/feature/deep/one/docs'],
    ['src/v1/a/src/main.ts', 'tag/v1/a/src/main.ts'],
    [`blob/${first}/src/main.ts`, `commit/${first}/src/main.ts`],
  ]) {
    const { status, headers } = await nobody.get(`/ann/site/${from}`)
    assert.deepEqual([status, headers.get('location')], [301, `/ann/site/src/${to}`])
  }
})

test('the clone URL redirects to the home page, and raw files are served', async () => {
  assert.equal((await nobody.get('/ann/site.git')).headers.get('location'), '/ann/site')
  for (const word of ['raw', 'media'])
    assert.equal(await see(`/ann/site/${word}/branch/feature/deep/one/docs/guide.md`), '# Guide\n')
})

test('blame shows the commit of each block', async () => {
  const text = await see('/ann/site/blame/branch/main/src/main.ts')
  assert.match(text, new RegExp(`href="/ann/site/commit/${first}"`))
  assert.match(text, /Second/)
  assert.match(text, /id="L3"/)
  await see('/ann/site/blame/branch/main/src', 404)
  await see('/ann/site/blame/branch/main/data.bin', 422)
})

test('answers about full commit ids may be kept by shared caches, for anonymous clients only', async () => {
  const fixed = [
    `/ann/site/raw/commit/${first}/win.txt`,
    `/ann/site/archive/${first}.zip`,
    `/ann/site/blame/commit/${first}/src/main.ts`,
    `/ann/site/compare/${first}...${await git.ok('rev-parse', 'HEAD')}`,
    `/api/v1/repos/ann/site/raw/win.txt?ref=${first}`,
  ]
  const cacheOf = async (as: string | null, path: string) => {
    const answer = await forge.call(as, 'GET', `/${path}`, undefined, { accept: '*/*' })
    assert.equal(answer.status, 200, path)
    return answer.headers.get('cache-control')
  }
  const ann = await forge.browserOf('ann')
  for (const path of fixed) {
    assert.equal(await cacheOf(null, path), 'public, max-age=3600', path)
    const shown = path.startsWith('/api')
      ? await cacheOf('ann', path)
      : (await ann.get(path)).headers.get('cache-control')
    assert.match(shown ?? '', /private/, path)
    const moving = path.replaceAll(first, 'main').replace('/commit/', '/branch/')
    assert.match((await cacheOf(null, moving)) ?? '', /private/, moving)
  }
  const [raw = ''] = fixed
  const { headers } = await forge.call(null, 'GET', `/${raw}`)
  assert.match(headers.get('vary') ?? '', /Authorization, Cookie/)
  const etag = headers.get('etag') ?? ''
  const again = () => forge.call(null, 'GET', `/${raw}`, undefined, { 'if-none-match': etag })
  assert.equal((await again()).status, 304)
  await forge.call('ann', 'PATCH', '/repos/ann/site', { private: true })
  assert.notEqual((await again()).status, 304, 'a cache that asks again learns that it is private')
  await forge.call('ann', 'PATCH', '/repos/ann/site', { private: false })
})

test('blame ignores commits in .git-blame-ignore-revs, unless bypassed', async () => {
  await git.ok('checkout', '--quiet', '-B', 'indented', first)
  await writeIn(git, 'src/main.ts', MAIN.replaceAll(/^(?=.)/gm, '  '))
  const indented = await commitAs(git, {
    title: 'Indent',
    date: '2020-03-01T10:00:00Z',
    email: 'ann@example.test',
  })
  await writeIn(git, '.git-blame-ignore-revs', `${indented}\n`)
  await commitAs(git, { title: 'Pass over it', date: '2020-03-02T10:00:00Z', email: 'ann@example.test' })
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/heads/indented')
  await git.ok('checkout', '--quiet', '-')
  const page = '/ann/site/blame/branch/indented/src/main.ts'
  const passed = await see(page)
  assert.match(passed, /1 commit that \.git-blame-ignore-revs names is ignored/)
  assert.doesNotMatch(passed, new RegExp(`href="/ann/site/commit/${indented}"`))
  assert.match(passed, /\?bypass-blame-ignore=true"/)
  const bypassed = await see(`${page}?bypass-blame-ignore=true`)
  assert.match(bypassed, new RegExp(`href="/ann/site/commit/${indented}"`))
})

test('history is shown by day, for the branch or a path, optionally between two dates', async () => {
  const all = await see('/ann/site/commits/branch/main')
  assert.match(all, /Commits on January 1, 2020/)
  assert.match(all, /With a reason\./)
  assert.doesNotMatch(await see('/ann/site/commits/branch/main/docs'), /Second/)
  assert.doesNotMatch(await see('/ann/site/commits/branch/main?until=2020-01-15'), /Second/)
  await see('/ann/site/commits/branch/main/nothing', 404)
})

test('the finder lists all files, and filters by letters without JavaScript', async () => {
  const all = await see('/ann/site/find/branch/main')
  for (const path of ['docs/sub/deep.txt', 'src/main.ts']) assert.ok(all.includes(`>${path}<`), path)
  const some = await see('/ann/site/find/branch/main?q=smts')
  assert.match(some, />src\/main\.ts</)
  assert.doesNotMatch(some, />docs\/sub\/deep\.txt</)
})

test('a text is found in the files of the default branch, in any case and whatever it contains', async () => {
  const found = await see('/ann/site/search?q=SMELT(')
  assert.match(
    found,
    /href="\/ann\/site\/src\/branch\/main\/src\/main\.ts#L2">2<\/a><code[^>]*>export const heat/,
  )
  assert.doesNotMatch(found, /Heats ore/)
  for (const q of ['--help', '-f/etc/passwd', '.*', `${HOSTILE}!`, 'nowhere'])
    assert.match(await see(`/ann/site/search?q=${encodeURIComponent(q)}`), /No lines match/, q)
  assert.match(await see('/ann/site/search'), /Enter a text/)
  assert.match(await see('/ann/empty/search?q=a'), /Enter a text/)
  // The search field of the bar leads there from every page of the repository.
  assert.match(await see('/ann/site'), /<input type="hidden" name="repo" value="ann\/site">/)
  assert.match(await see('/search?q=smelt&repo=ann/site'), /href="\/ann\/site\/search\?q=smelt"/)
})

test('links are previewed with title and text, for clients without an account', async () => {
  await forge.call('ann', 'PATCH', '/repos/ann/site', { description: 'Iron "and" coal' })
  const { text } = await forge.browser().get('/ann/site')
  assert.match(text, /<meta property="og:title" content="ann\/site">/)
  assert.match(text, /<meta property="og:description" content="Iron &\S+;and&\S+; coal">/)
  const body = { title: 'Too hot', body: `It\n\nburns ${'very '.repeat(100)}` }
  const { body: issue } = await forge.call('ann', 'POST', '/repos/ann/site/issues', body)
  const page = await forge.browser().get(`/ann/site/issues/${issue.number}`)
  assert.match(page.text, /<meta name="description" content="It burns (?:very )+very…">/)
  assert.doesNotMatch((await (await forge.browserOf('ann')).get('/ann/site')).text, /og:title/)
})

test('go-import metadata is served for modules', async () => {
  assert.match(
    await see('/ann/site?go-get=1'),
    /<meta name="go-import" content="[^"]*\/ann\/site git http[^"]*\/ann\/site\.git">/,
  )
})

test('pages of a private repository are 404 for others', async () => {
  const eve = await forge.browserOf('eve')
  for (const path of [
    '',
    '/src/branch/main',
    '/branches',
    '/tags',
    '/releases',
    '/wiki',
    '/activity',
    '/forks',
    '/stars',
    '/watchers',
    '/commits/branch/main',
    '/find/branch/main',
    '/search?q=a',
    '/blame/branch/main/a',
    '/releases.rss',
    '.atom',
    '/rss/branch/main',
  ])
    for (const browser of [nobody, eve])
      assert.equal((await browser.get(`/ann/vault${path}`)).status, 404, path)
})

test('pages take the same number of queries, however much is on them', async () => {
  const pages = [
    '/ann/site',
    '/ann/site/src/branch/main/docs',
    '/ann/site/commits/branch/main',
    '/ann/site/branches',
    '/ann/site/tags',
  ]
  const count = async (path: string) => {
    await nobody.get(path)
    return forge.countQueries(() => nobody.get(path))
  }
  const short = await count(`/ann/site/find/commit/${first.slice(0, 10)}`)
  const whole = await count(`/ann/site/find/commit/${first}`)
  assert.ok(short <= whole + 1, `${short} by a short id, ${whole} by the whole one`)
  const few = []
  for (const path of pages) few.push(await count(path))
  for (let i = 0; i < 12; i++) await writeIn(git, `docs/more-${i}.txt`, `${i}\n`)
  for (let i = 0; i < 8; i++) {
    await commitAs(git, { title: `More ${i}`, date: '2021-01-01T10:00:00Z', email: `p${i}@example.test` })
    await git.ok(
      'push',
      '--quiet',
      'origin',
      'HEAD:refs/heads/main',
      `HEAD:refs/heads/b${i}`,
      `HEAD:refs/tags/t${i}`,
    )
  }
  for (const [i, path] of pages.entries()) assert.equal(await count(path), few[i], path)
})
