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

/** Text on many pages that is the same in all languages, and data that the forge itself makes. */
const SAME: readonly RegExp[] = []

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
    const found = findUnmarked(await answer.text()).filter(
      (text) => !data.includes(text) && !SAME.some((it) => it.test(text)),
    )
    assert.deepEqual(found, [])
  })
}

/** Whatever stands in the files that make the example's data is data. */
async function readData(): Promise<string> {
  const texts: string[] = []
  for await (const path of glob(['test/web/seed/*.ts', 'test/web/examples/*.ts', 'src/cli/demo/**/*.ts']))
    texts.push(await readFile(path, 'utf8'))
  return texts.join('\n')
}
