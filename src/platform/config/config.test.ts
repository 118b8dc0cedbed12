/** Configuration: typed, bounded, with the source of each value. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeConfig, loadConfig, tomlOf } from './index.ts'

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

for (const [variable, value, shown] of [
  ['DATABASE_URL', 'postgres://smith:hammer@/forge?host=/run', 'postgres://smith:hidden@/forge?host=/run'],
  ['DATABASE_URL', 'postgres://smith:ham@mer@h/forge', 'postgres://smith:hidden@h/forge'],
  ['DATABASE_URL', 'postgres://h/forge?user=a&password=hammer', 'postgres://h/forge?user=a&password=hidden'],
  ['BUS_NATS_URL', 'nats://a:hammer@h:1,nats://a:hammer@i:2', 'nats://a:hidden@h:1,nats://a:hidden@i:2'],
  ['BUS_NATS_URL', 'tls://hammer@h:1,tls://hammer@i:2', 'tls://hidden@h:1,tls://hidden@i:2'],
] as const)
  test(`no password is printed of ${value}`, () => {
    const environment = { [`BLOOMERY_${variable}`]: value }
    const lines = describeConfig(loadConfig({ environment })).join('\n')
    assert.ok(lines.includes(` = ${shown}  # environment`), lines)
  })

test('trusted proxies are addresses and ranges', () => {
  const read = (value: string) => mistakesIn({ BLOOMERY_HTTP_TRUSTED_PROXIES: value })
  for (const value of ['10.0.0.5', '10.0.0.0/8, fd00::/8', '::1', 'loopback,uniquelocal', ''])
    assert.equal(read(value), '', value)
  for (const value of ['haproxy.internal', '10.0.0.0/33', '10.0.0.0/x', '0.0.0.0/0', '10.0.0/8', 'true'])
    assert.match(
      read(value),
      /http\.trusted_proxies \(environment\): .+ must be an address or a range/,
      value,
    )
})

const mistakesIn = (environment: Record<string, string>): string => {
  try {
    loadConfig({ environment })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('a secret is the content of a file that the environment names, without its last line feed', async () => {
  await withFile('postgres://smith:hammer@127.0.0.1/forge\n', (file) => {
    const { values, sources } = loadConfig({ environment: { BLOOMERY_DATABASE_URL_FILE: file } })
    assert.equal(values['database.url'], 'postgres://smith:hammer@127.0.0.1/forge')
    assert.equal(sources['database.url'], 'environment')
    const both = { BLOOMERY_SECRETS_KEYS_FILE: file, BLOOMERY_SECRETS_KEYS: 'anvil' }
    assert.match(mistakesIn(both), /^ {2}BLOOMERY_SECRETS_KEYS_FILE: BLOOMERY_SECRETS_KEYS is set too/m)
    // Only secrets have files.
    assert.match(mistakesIn({ BLOOMERY_HTTP_HOST_FILE: file }), /BLOOMERY_HTTP_HOST_FILE: unknown setting/)
  })
  await withFile('\n', (file) => {
    assert.match(
      mistakesIn({ BLOOMERY_STORE_SECRET_ACCESS_KEY_FILE: file }),
      /STORE_SECRET_ACCESS_KEY_FILE: the file .+ is empty/,
    )
  })
  assert.match(
    mistakesIn({ BLOOMERY_BUS_NATS_URL_FILE: '/nowhere/nats' }),
    /^ {2}BLOOMERY_BUS_NATS_URL_FILE: cannot read the file \/nowhere\/nats \(ENOENT\)$/m,
  )
})

test('service links of Kubernetes are no settings', () => {
  const links = {
    BLOOMERY_SERVICE_HOST: '10.96.0.7',
    BLOOMERY_SERVICE_PORT: '3000',
    BLOOMERY_SERVICE_PORT_HTTP: '3000',
    BLOOMERY_PORT: 'tcp://10.96.0.7:3000',
    BLOOMERY_PORT_3000_TCP: 'tcp://10.96.0.7:3000',
    BLOOMERY_PORT_3000_TCP_PROTO: 'tcp',
    BLOOMERY_PORT_3000_TCP_PORT: '3000',
    BLOOMERY_PORT_3000_TCP_ADDR: 'fd00::7',
    BLOOMERY_POSTGRES_PORT: 'tcp://[fd00::8]:5432',
    // Of a service named bloomery-http: the name of a setting, and no value of it.
    BLOOMERY_HTTP_PORT: 'tcp://10.96.0.9:80',
  }
  const { sources } = loadConfig({ environment: links })
  assert.deepEqual(new Set(Object.values(sources)), new Set(['default']))
  for (const [variable, value] of [
    ['BLOOMERY_PORT', '3000'],
    ['BLOOMERY_SERVICE_HOST', 'git.example.com'],
    ['BLOOMERY_PORT_3000_TCP_NAME', 'tcp'],
    ['BLOOMERY_PORT_3000', 'tcp://10.96.0.7:3000'],
  ] as const)
    assert.match(mistakesIn({ [variable]: value }), new RegExp(`^ {2}${variable}: unknown setting; `, 'm'))
  assert.match(mistakesIn({ BLOOMERY_HTTP_PORT: 'tcp' }), /http\.port \(environment\): must be an integer/)
})

test('the site has an address that clients reach, without a path', () => {
  const urlOf = (url: string) => loadConfig({ environment: { BLOOMERY_HTTP_URL: url } }).values['http.url']
  assert.equal(urlOf('https://git.example.test/'), 'https://git.example.test')
  assert.equal(urlOf('http://127.0.0.1:3000'), 'http://127.0.0.1:3000')
  for (const url of ['https://example.test/git', 'https://example.test/git/', 'https://example.test/?a=b'])
    assert.match(
      mistakesIn({ BLOOMERY_HTTP_URL: url }),
      /^ {2}http\.url \(environment\): must have no path: .+ as in https:\/\/example\.test$/m,
    )
  for (const url of ['git.example.test', 'ssh://git.example.test', 'https://a:b@git.example.test'])
    assert.match(mistakesIn({ BLOOMERY_HTTP_URL: url }), /http\.url .+ must be an address such as https:/)
  for (const host of ['0.0.0.0', '::', '0:0:0:0:0:0:0:0']) {
    assert.match(
      mistakesIn({ BLOOMERY_HTTP_HOST: host }),
      /^ {2}http\.url: must be set when http\.host is .+, which is no address that clients can reach/m,
    )
    assert.equal(mistakesIn({ BLOOMERY_HTTP_HOST: host, BLOOMERY_HTTP_URL: 'https://git.example.test' }), '')
  }
})

test('a logo is a small file of a known type', () => {
  assert.match(
    mistakesIn({ BLOOMERY_SITE_LOGO: '/nowhere/logo.png' }),
    /site\.logo .+ there is no file \/nowhere/,
  )
  assert.match(mistakesIn({ BLOOMERY_SITE_LOGO: 'logo.gif' }), /site\.logo .+ ends with \.svg or \.png/)
})

test('the printed file sets what was given, has every default as a comment, and no secret', async () => {
  const environment = {
    BLOOMERY_HTTP_PORT: '4000',
    BLOOMERY_HTTP_URL: 'https://git.example.test',
    BLOOMERY_HTTP_TRUSTED_PROXIES: '10.0.0.0/8,::1',
    BLOOMERY_OUTBOUND_ALLOW_PRIVATE: 'true',
    BLOOMERY_SSH_USER: 'a "b" \\c',
    BLOOMERY_DATABASE_URL: 'postgres://smith:hammer@127.0.0.1/forge',
    BLOOMERY_SECRETS_KEYS: 'anvil-anvil-anvil-anvil-anvil-anvil',
  }
  const loaded = loadConfig({ environment })
  const lines = tomlOf(loaded)
  assert.doesNotMatch(lines.join('\n'), /hammer|anvil/)
  const { 'database.url': url, 'secrets.keys': keys, ...values } = loaded.values
  await withFile(lines.join('\n'), (file) => {
    const { values: again, sources } = loadConfig({ file, environment: {} })
    assert.deepEqual({ ...again, 'database.url': url, 'secrets.keys': keys }, { ...values, ...loaded.values })
    assert.equal(Object.values(sources).filter((it) => it === 'file').length, 5)
  })
  // Without the signs of comments every setting is set, to the same value.
  await withFile(lines.join('\n').replace(/^#(?=\w+ = )/gm, ''), (file) => {
    const { values: again, sources } = loadConfig({ file, environment: {} })
    assert.deepEqual(new Set(Object.values(sources)), new Set(['file']))
    assert.deepEqual({ ...again, 'database.url': url, 'secrets.keys': keys }, { ...values, ...loaded.values })
  })
})
