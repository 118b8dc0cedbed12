/** The tree of every artefact, without the checkout: its command works from anywhere, and its node serves. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { settingVariable } from '#platform/config'
import { startForge } from '#testing'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { loadConfig } from '../../src/cli/load-config.ts'
import { stage } from '../../tools/package/stage.ts'

const run = promisify(execFile)
const READY_MS_MAX = 120_000

let folder: string
let tree: string
/** A link, as an operator puts it on the PATH. */
let program: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-packaged-'))
  tree = join(folder, 'tree')
  await stage(tree, process.arch === 'arm64' ? 'arm64' : 'x64')
  program = join(folder, 'bloomery')
  await symlink(join(tree, 'bin/bloomery'), program)
})
after(() => rm(folder, { recursive: true, force: true }))

/** Nothing of this process but the programs of the system. */
function call(args: readonly string[], environment: Record<string, string> = {}) {
  return run(program, args, { cwd: folder, env: { PATH: '/usr/bin:/bin', ...environment } })
}

test('the tree has neither tests nor packages for development', async () => {
  const files = await readdir(tree, { recursive: true })
  assert.deepEqual(
    files.filter((file) => /\.test\.ts$|^src\/testing/.test(file)),
    [],
  )
  const { devDependencies, dependencies, version } = JSON.parse(
    await readFile(join(tree, 'package.json'), 'utf8'),
  )
  const lock = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'))
  // A package whose types are used in development may be needed by another at run time.
  for (const name of Object.keys(devDependencies)) {
    const path = `node_modules/${name}`
    assert.equal(files.includes(path), lock.packages[path].dev !== true, name)
  }
  for (const name of Object.keys(dependencies)) assert.ok(files.includes(`node_modules/${name}`), name)
  assert.equal((await call(['--version'])).stdout, `${version}\n`)
})

test('the page for operators leads to nothing that is missing', async () => {
  const page = await readFile(join(tree, 'docs/operations.md'), 'utf8')
  const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  assert.ok(links.length > 10)
  for (const link of links) await access(join(tree, 'docs', link))
})

test('the printed configuration file can be loaded, and has every setting', async () => {
  const { stdout } = await call(['config', '--toml'], { BLOOMERY_HTTP_PORT: '4000' })
  const file = join(folder, 'printed.toml')
  await writeFile(file, stdout)
  const { values, sources } = loadConfig({ file, environment: {} })
  assert.equal(values['http.port'], 4000)
  assert.deepEqual(new Set(Object.values(sources)), new Set(['default', 'file']))
  await writeFile(file, stdout.replace(/^#(?=\w+ = )/gm, ''))
  assert.deepEqual(new Set(Object.values(loadConfig({ file, environment: {} }).sources)), new Set(['file']))
})

test('a node serves from the tree, with its secrets in files', { timeout: 300_000 }, async () => {
  await using forge = await startForge()
  const { config } = forge.world
  const port = await findFreePorts(1)
  const environment: Record<string, string> = {}
  const set = (name: string, value: unknown) => {
    environment[settingVariable(name)] = String(value)
  }
  set('http.port', port)
  set('store.folder', config['store.folder'])
  set('git.cache_folder', join(folder, 'cache'))
  set('log.level', 'error')
  for (const name of ['database.url', 'secrets.keys'] as const) {
    const file = join(folder, name)
    await writeFile(file, `${config[name]}\n`, { mode: 0o600 })
    environment[`${settingVariable(name)}_FILE`] = file
  }
  // Hashes a password, which takes a package with machine code.
  const ann = ['--username', 'ann', '--email', 'ann@example.test', '--password', 'hammer and tongs']
  await call(['admin', 'user', 'create', ...ann], environment)
  const node = spawn(program, ['serve'], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', ...environment },
    stdio: 'inherit',
  })
  const ended = once(node, 'exit')
  try {
    const url = `http://127.0.0.1:${port}`
    await untilReady(`${url}/readyz`, () => node.exitCode !== null)
    const headers = {
      authorization: `Basic ${btoa('ann:hammer and tongs')}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ name: 'site', auto_init: true, readme: 'Default' })
    const made = await fetch(`${url}/api/v1/user/repos`, { method: 'POST', headers, body })
    assert.equal(made.status, 201, await made.text())
    // The readme is rendered in a thread.
    const page = await fetch(`${url}/ann/site`)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<h1[^>]*>\s*site/)
  } finally {
    node.kill('SIGTERM')
    await ended
  }
})

async function untilReady(address: string, hasEnded: () => boolean): Promise<void> {
  for (const deadline = performance.now() + READY_MS_MAX; performance.now() < deadline; ) {
    assert.ok(!hasEnded(), 'the node has ended')
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  assert.fail('the node is not ready in time')
}
