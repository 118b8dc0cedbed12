/** `bloomery try --demo` as a newcomer meets it: each printed login signs in, and finds something on every page. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { SeededForge } from '../../src/cli/demo/forge.ts'
import { tryForge } from '../try-forge.ts'

const lines: string[] = []
const forge = await tryForge(['--demo', '--ssh-port', '0'], (line) => void lines.push(line))
after(() => forge[Symbol.asyncDispose]())
const logins = forge.logins ?? []

const SHOWN = {
  'a repository with code': ['/ann/furnace', 'bellows.sh'],
  'an open issue': ['/ann/furnace/issues?state=open', 'The furnace goes out every night'],
  'an open pull request': ['/ann/furnace/pulls?state=open', 'Bellows, so that it stays hot'],
  'a review': ['/ann/furnace/pulls/3', 'Harder, please.'],
  'a run': ['/ann/forge-ci/actions', 'Smelt whenever something is pushed'],
  'a package': ['/ann/-/packages', 'tongs'],
} as const

test('an administrator, a maintainer and a contributor are printed, and stand in README.md', async () => {
  assert.deepEqual(
    logins.map(({ role }) => role),
    ['administrator', 'maintainer', 'contributor'],
  )
  const readme = await readFile('README.md', 'utf8')
  for (const { role, login, password } of logins)
    assert.ok(readme.includes(`\n| ${role} | \`${login}\` | \`${password}\` |`), `README.md names no ${role}`)
})

for (const { role, login, password } of logins)
  test(`the ${role} signs in and sees some of everything`, async () => {
    const { name, value } = await new SeededForge(forge).signIn(login, password)
    const cookie = `${name}=${value}`
    for (const [what, [path, text]] of Object.entries(SHOWN)) {
      const answer = await fetch(`${forge.url}${path}`, { headers: { cookie } })
      assert.equal(answer.status, 200, path)
      const page = await answer.text()
      assert.ok(page.includes(text), `${what}: ${path} shows no "${text}"`)
      assert.ok(page.includes(`href="/${login}"`), `${path} is not shown to ${login}`)
    }
    const site = await fetch(`${forge.url}/-/admin`, { headers: { cookie } })
    assert.equal(site.ok, role === 'administrator', `/-/admin answers ${site.status}`)
  })

test('each step of the start is announced, and the stop reports no node that was stopped on purpose', async () => {
  for (const step of [
    /^loading the forge/,
    /^starting PostgreSQL/,
    /^preparing the database/,
    /^starting the node/,
  ])
    assert.ok(
      lines.some((line) => step.test(line)),
      String(step),
    )
  assert.ok(
    lines.includes(
      `open ${forge.url} and sign in as admin with the password admin1234; Ctrl-C stops the forge and deletes its data`,
    ),
  )
  await forge[Symbol.asyncDispose]()
  assert.ok(lines.includes('stopping …'))
  assert.deepEqual(
    lines.filter((line) => line.includes('has ended')),
    [],
  )
})
