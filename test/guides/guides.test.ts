/** The guides and README.md: their commands run against one forge, each page in a shell of its own. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { blocksOf, describe, isSuccess, play, reasonOf } from '../examples/page.ts'
import { type TriedForge, tryForge } from '../try-forge.ts'
import { type Prepared, prepare } from './prepare.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDES = 'docs/guides'
const guides = (await readdir(join(ROOT, GUIDES))).toSorted().map((name) => `${GUIDES}/${name}`)
const pages = await Promise.all(
  ['README.md', ...guides].map(async (path) => {
    const text = await readFile(join(ROOT, path), 'utf8')
    return { path, text, blocks: blocksOf(text) }
  }),
)
/** A page of commands that are all left out proves nothing. */
const RUN_MIN = 2
const PAGE_MS_MAX = 150_000
/** Pages use repositories of their own, so they run beside each other. */
const AT_ONCE = 3

let forge: TriedForge
let prepared: Prepared

before(async () => {
  forge = await tryForge()
  prepared = await prepare(forge)
})
after(() => forge?.[Symbol.asyncDispose]())

const SSH = '/usr/bin/ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=accept-new'
/** What the guide to tokens sets up; the other guides assume it. */
const GITCONFIG = `[user]
	name = Ann
	email = ann@example.test
[credential]
	helper = "!f() { echo username=ann; echo \\"password=$TOKEN\\"; }; f"
`

for (const { path, text, blocks } of pages)
  test(`${path}: every block of commands is run, or says why it is not`, () => {
    assert.equal(blocks.length, text.match(/^ *```(?:sh|bash|shell|console)/gm)?.length)
    for (const { info, commands } of blocks) assert.match(info, /^$|^not-run: \S/, commands)
    const run = blocks.filter((block) => reasonOf(block) === undefined)
    assert.ok(run.length >= RUN_MIN, `only ${run.length} blocks are run`)
  })

suite('the commands work', { concurrency: AT_ONCE }, () => {
  for (const { path, blocks } of pages)
    test(path, { timeout: PAGE_MS_MAX }, async () => {
      const run = blocks.filter((block) => reasonOf(block) === undefined)
      await using home = await makeHome()
      const { played, failed } = await play(run, forge.url, envOf(home.path))
      for (const block of played)
        assert.ok(block.asked.every(isSuccess), `${describe(block)}\n${failed ?? ''}`)
      const last = played.findLast(({ asked, said }) => asked.length > 0 || said !== '')
      assert.equal(failed, undefined, `${failed}\n${last === undefined ? '' : describe(last)}`)
    })
})

/** A home for one page: git, ssh and npm find no settings of the machine or of another page. */
async function makeHome(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'bloomery-guide-'))
  await writeFile(join(path, '.gitconfig'), GITCONFIG)
  // OpenSSH ignores HOME, so a program of its name tells it where to remember hosts.
  await writeFile(
    join(path, 'ssh'),
    `#!/bin/sh\nexec ${SSH} -o UserKnownHostsFile=${path}/known_hosts "$@"\n`,
  )
  await chmod(join(path, 'ssh'), 0o755)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Nothing of the test's environment but its programs: npm passes its settings to what it runs. */
function envOf(home: string): Record<string, string> {
  return {
    ...prepared,
    FORGE: forge.url,
    HOME: home,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Both would call the public registry.
    NPM_CONFIG_AUDIT: 'false',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    PATH: `${home}:${process.env.PATH}`,
  }
}
