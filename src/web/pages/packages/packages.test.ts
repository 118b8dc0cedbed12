/** Pages of packages: the command that each shows installs the package, and the head of its owner. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { searchPath } from '#platform/config'
import { type Forge, startForge } from '#testing'
import { send } from '#testing/slices/packages'
import { installCommand } from './install.ts'

type Browser = Awaited<ReturnType<Forge['browserOf']>>

const run = promisify(execFile)
const RUN_MS_MAX = 120_000
const HOSTILE = "tongs $(touch x) & 'y'.bin"
/** Names of files of generic packages have no quotes. */
const ODD = 'tongs $(touch x) & y.bin'

let forge: Forge
let ann: Browser
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  ann = await forge.browserOf('ann')
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
})
after(() => forge[Symbol.asyncDispose]())

const SITE = { url: 'https://forge.test', host: 'forge.test' }
for (const [what, [type, owner, name, version, files], command] of [
  ['container', ['container', 'Ann', 'tools/tongs', '1.0', []], 'docker pull forge.test/ann/tools/tongs:1.0'],
  [
    'container by digest',
    ['container', 'ann', 'tongs', 'sha256:ab', []],
    'docker pull forge.test/ann/tongs@sha256:ab',
  ],
  [
    'npm',
    ['npm', 'ann', 'tongs', '1.0.0', []],
    'npm install tongs@1.0.0 --registry=https://forge.test/api/packages/ann/npm/',
  ],
  [
    'npm with a scope',
    ['npm', 'ann', '@ann/tongs', '1.0.0', []],
    'npm install @ann/tongs@1.0.0 --@ann:registry=https://forge.test/api/packages/ann/npm/',
  ],
  [
    'pypi',
    ['pypi', 'ann', 'tongs', '1!0', []],
    "pip install --index-url https://forge.test/api/packages/ann/pypi/simple/ 'tongs==1!0'",
  ],
  [
    'generic',
    ['generic', 'ann', 'tongs', '1.0', ['a.bin', HOSTILE]],
    `curl -fO https://forge.test/api/packages/ann/generic/tongs/1.0/a.bin
curl -f -o 'tongs $(touch x) & '\\''y'\\''.bin' 'https://forge.test/api/packages/ann/generic/tongs/1.0/tongs%20%24(touch%20x)%20%26%20'\\''y'\\''.bin'`,
  ],
  ['generic without files', ['generic', 'ann', 'tongs', '1.0', []], undefined],
] as const)
  test(`the command of a package is that of its type: ${what}`, () => {
    const it = { type, owner: { login: owner }, name, version }
    const found = installCommand(
      SITE,
      it,
      files.map((file) => ({ name: file })),
    )
    assert.equal(found, command)
  })

/** Runs the command of a page in an empty folder, which it returns the content of. */
async function install(path: string, read: string): Promise<string> {
  const { status, text } = await ann.get(path)
  assert.equal(status, 200)
  const [, shown = ''] = /<pre class="command">([\s\S]*?)<\/pre>/.exec(text) ?? []
  const command = shown.replaceAll('&#39;', "'").replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  assert.match(text, /data-copy="/)
  assert.ok(command.includes('http://forge.test/'), command)
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-install-'))
  try {
    const env = {
      ...searchPath(),
      HOME: folder,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      // Nothing is asked of the public registry, and addresses of http://forge.test lead to the test's forge.
      npm_config_registry: forge.base,
      npm_config_replace_registry_host: 'always',
    }
    const reachable = command.replaceAll('http://forge.test', forge.base)
    await run('sh', ['-ec', reachable], { cwd: folder, env, timeout: RUN_MS_MAX })
    return await readFile(join(folder, read), 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('the command of a generic package downloads its files, whatever their names', async () => {
  const at = '/api/packages/ann/generic/tongs/1.0'
  for (const [file, body] of [
    ['tongs.bin', 'cold'],
    [ODD, 'hot'],
  ] as const)
    assert.equal((await send(forge, 'ann', 'PUT', `${at}/${encodeURIComponent(file)}`, { body })).status, 201)
  const page = '/ann/-/packages/generic/tongs/1.0'
  assert.equal(await install(page, 'tongs.bin'), 'cold')
  assert.equal(await install(page, ODD), 'hot')
  await assert.rejects(install(page, 'x'), { code: 'ENOENT' })
})

test('the command of an npm package installs it', async () => {
  const bytes = await pack()
  const version = '1.0.0'
  const name = '@ann/tongs'
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const body = JSON.stringify({
    _id: name,
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { name, version, dist: { integrity } } },
    _attachments: {
      [`${name}-${version}.tgz`]: { content_type: 'x', data: bytes.toString('base64'), length: bytes.length },
    },
  })
  const headers = { 'content-type': 'application/json' }
  const put = await send(forge, 'ann', 'PUT', '/api/packages/ann/npm/@ann%2ftongs', { body, headers })
  assert.equal(put.status, 201)
  const page = '/ann/-/packages/npm/%40ann%2Ftongs/1.0.0'
  assert.equal(await install(page, 'node_modules/@ann/tongs/index.js'), "module.exports = 'hot'\n")
})

/** What `npm pack` makes. */
async function pack(): Promise<Buffer> {
  const script = `mkdir package && cd package
echo '{"name":"@ann/tongs","version":"1.0.0"}' > package.json
echo "module.exports = 'hot'" > index.js
cd .. && tar -czf tongs.tgz package`
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-pack-'))
  try {
    await run('sh', ['-ec', script], { cwd: folder, env: searchPath(), timeout: RUN_MS_MAX })
    return await readFile(join(folder, 'tongs.tgz'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('packages stand below the head of their owner, with the tabs of an organization', async () => {
  const path = '/api/packages/smithy/generic/hammer/1.0/hammer.bin'
  assert.equal((await send(forge, 'ann', 'PUT', path, { body: 'iron' })).status, 201)
  for (const page of ['/smithy/-/packages', '/smithy/-/packages/generic/hammer/1.0']) {
    const { text } = await ann.get(page)
    const [, tabs = ''] = /<header class="repo-head org-head">([\s\S]*?)<\/header>/.exec(text) ?? []
    assert.match(tabs, /href="\/smithy\/-\/packages"[^>]* aria-current="page"/, page)
  }
  assert.match((await ann.get('/ann/-/packages')).text, /<header class="repo-head">[\s\S]*href="\/ann"/)
})
