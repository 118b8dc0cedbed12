/** Configuration: typed, bounded, with the source of each value. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeConfig, loadConfig } from './index.ts'

async function withFile(text: string, work: (file: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-config-'))
  const file = join(folder, 'bloomery.toml')
  await writeFile(file, text)
  try {
    work(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the command line wins over the environment, the environment over the file, the file over the default', async () => {
  await withFile('[http]\nport = 1111\npage_max = 11\nhost = "file"\n', (file) => {
    const { values, sources } = loadConfig({
      file,
      environment: { BLOOMERY_HTTP_PORT: '2222', BLOOMERY_HTTP_PAGE_MAX: '22' },
      overrides: { 'http.port': 3333 },
    })
    assert.deepEqual(
      [values['http.port'], values['http.page_max'], values['http.host'], values['http.page_default']],
      [3333, 22, 'file', 30],
    )
    assert.deepEqual(
      [sources['http.port'], sources['http.page_max'], sources['http.host'], sources['http.page_default']],
      ['command line', 'environment', 'file', 'default'],
    )
  })
})

test('all errors are reported at once: wrong types, values out of bounds, unknown settings', async () => {
  await withFile('[http]\nporrt = 1\n[store]\ndriver = "tape"\n', (file) => {
    const environment = {
      BLOOMERY_HTTP_PORT: '70000',
      BLOOMERY_OUTBOUND_ALLOW_PRIVATE: 'maybe',
      BLOOMERY_NONSENSE: '1',
    }
    assert.throws(
      () => loadConfig({ file, environment }),
      (error: Error) =>
        ['http.porrt', 'store.driver', 'http.port', 'outbound.allow_private', 'BLOOMERY_NONSENSE'].every(
          (it) => error.message.includes(it),
        ),
    )
  })
})

test('the printed configuration names every setting and its source, and hides every secret', () => {
  const lines = describeConfig(
    loadConfig({
      environment: {
        BLOOMERY_DATABASE_URL: 'postgres://smith:hammer@127.0.0.1/forge',
        BLOOMERY_SECRETS_KEYS: 'anvil-anvil-anvil-anvil-anvil-anvil',
      },
    }),
  ).join('\n')
  assert.match(lines, /^http\.port = 3000 {2}# default/m)
  assert.match(lines, /^database\.url = postgres:\/\/smith:hidden@127\.0\.0\.1\/forge {2}# environment/m)
  assert.match(lines, /^secrets\.keys = \(hidden\)/m)
  assert.doesNotMatch(lines, /hammer|anvil/)
})
