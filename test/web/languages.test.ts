/** Every page in a pseudo-language, whose texts stand between marks: other text is data, or was forgotten. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { tryForge } from '../try-forge.ts'
import { EXAMPLES } from './examples/index.ts'
import { findUnmarked } from './pseudo/unmarked.ts'
import { seed } from './seed/seed.ts'

process.env.NODE_OPTIONS = `--import=${new URL('pseudo/register.ts', import.meta.url).href}`
const { TEST_WEB_ONLY: only = '', TEST_POSTGRES_BIN: bin } = process.env
const forge = await tryForge(['--ssh-port', '0', ...(bin ? ['--postgres', bin] : [])], () => undefined)
const seeded = await seed(forge)
after(() => forge[Symbol.asyncDispose]())

/** Text that is the same in all languages, and data that the forge itself makes. */
const SAME: readonly RegExp[] = [
  // Names: of the site, of languages, of file formats, of programming languages, of default teams and label sets.
  /^(Bloomery|English|Deutsch|Français|Pseudo|Pseudo, right to left)$/,
  /^(ZIP|TAR\.GZ|TypeScript|Python|Shell|Owners|Advanced|Default|npm|pypi|container|ActivityPub)$/,
  // Data: the client of the tests, workflow files, hashes, fingerprints, identifiers, paths, references, numbered titles, columns of a board.
  /^node, 127\.0\.0\.1$|^[\w-]+\.yml@refs\/|^(\d+ |[\da-f]{10,40}$|[\da-f-]{36}$|SHA256:)/,
  /^[\w%./-]+#\d+$|^[\w-]+(\/[\w.%-]+)+$|^\S+\.md$|#\d+$|^\S+@example\.test$|^\w+ \(\w+|^shovel \d/,
  /^(To Do|In Progress|Done|Backlog|main\.\.\.main|tongs 1\.1\.0|Add "What went wrong|Add docs\/flux\.md|Heat more slowly It cracked)$/,
  // Emoji, completed by their names.
  /^(tada|star2?|rotating_light)$/,
  // Names of the REST API: events of webhooks, content types.
  /^((issue|pull request|workflow) [a-z ]+|issues(, \w+)+|application\/[\w-]+)$/,
  // Messages about other servers.
  /^(connection failed|could not resolve host)$/,
]
/** Pages that list names of the software, or its settings with their explanations, as the command line does. */
const NAMES = new Set(['/-/admin/config', '/-/admin/monitor/cron', '/repo/create'])

const data = await readData()

for (const [path, example] of Object.entries(EXAMPLES)) {
  if (!path.includes(only)) continue
  test(`all text of ${path} is translated`, async () => {
    const cookie =
      example.as && (await seeded.forge.signIn(example.as === 'admin' ? forge.admin : example.as))
    const answer = await fetch(forge.url + example.address(seeded), {
      headers: {
        accept: 'text/html',
        'accept-language': 'en-XA',
        ...(cookie && { cookie: `${cookie.name}=${cookie.value}` }),
      },
    })
    assert.equal(answer.headers.get('content-language'), 'en-XA')
    const found = findUnmarked(await answer.text())
    if (NAMES.has(path)) return
    assert.deepEqual(
      found.filter((text) => !data.includes(text) && !SAME.some((it) => it.test(text))),
      [],
    )
  })
}

/** Whatever stands in the files that make the example's data is data. */
async function readData(): Promise<string> {
  const texts: string[] = []
  for await (const path of glob(['test/web/seed/*.ts', 'test/web/examples/*.ts', 'src/cli/demo/**/*.ts']))
    texts.push(await readFile(path, 'utf8'))
  return texts.join('\n')
}
