/** The guides and README.md: their commands run against one forge, each page in a shell of its own. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
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

let forge: TriedForge
let prepared: Prepared
/** The home of the pages: git, ssh and npm find no settings of the machine here. */
let home: string

before(async () => {
  forge = await tryForge()
  prepared = await prepare(forge)
  home = await mkdtemp(join(tmpdir(), 'bloomery-guides-'))
  await writeFile(join(home, '.gitconfig'), GITCONFIG)
  // OpenSSH takes the home from the password file, so its files are named here.
  await writeFile(
    join(home, 'ssh'),
    `#!/bin/sh\nexec ${SSH} -o UserKnownHostsFile=${home}/known_hosts "$@"\n`,
  )
  await chmod(join(home, 'ssh'), 0o755)
})
after(async () => {
  await forge?.[Symbol.asyncDispose]()
  if (home !== undefined) await rm(home, { recursive: true, force: true })
})

const SSH = '/usr/bin/ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=accept-new'
/** What the guide on tokens sets up; the other guides assume it. */
const GITCONFIG = `[user]
	name = Ann
	email = ann@example.test
[credential]
	helper = "!f() { echo username=ann; echo \\"password=$TOKEN\\"; }; f"
[advice]
	detachedHead = false
`

for (const { path, text, blocks } of pages) {
  test(`${path}: every block of commands is run, or says why it is not`, () => {
    assert.equal(blocks.length, text.match(/^ *```(?:sh|bash|shell|console)/gm)?.length)
    for (const block of blocks) {
      assert.match(block.info, /^$|^not-run: \S/, block.commands)
      assert.notEqual(reasonOf(block), '', block.commands)
    }
    const run = blocks.filter((block) => reasonOf(block) === undefined)
    assert.ok(run.length >= RUN_MIN, `only ${run.length} blocks are run`)
  })

  test(`${path}: the commands work`, { timeout: PAGE_MS_MAX }, async () => {
    const run = blocks.filter((block) => reasonOf(block) === undefined)
    const { played, failed } = await play(run, forge.url, envOf())
    for (const block of played) assert.ok(block.asked.every(isSuccess), `${describe(block)}\n${failed ?? ''}`)
    const last = played.findLast(({ asked, said }) => asked.length > 0 || said !== '')
    assert.equal(failed, undefined, `${failed}\n${last === undefined ? '' : describe(last)}`)
  })
}

/** Nothing of the environment of the test but the programs: npm passes its settings to what it runs. */
function envOf(): Record<string, string> {
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
