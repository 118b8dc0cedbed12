/** Mistakes of operators: each is one line that names the setting and says what to do, and exit code 1. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Config, settingVariable } from '#platform/config'
import { openObjectStore, probeObjectStore } from '#platform/object-store'
import { Problem } from '#platform/problem'
import { type Forge, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { cannotListen, explain } from './explain.ts'
import { loadConfig } from './load-config.ts'
import { sealOf, storeOptions } from './open-world.ts'
import { gitRefusal, postgresRefusal } from './requirements.ts'

const KEY = randomBytes(32).toString('hex')

let folder: string
let forge: Forge
/** Any error of PostgreSQL. */
let refused: Error
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-mistakes-'))
  forge = await startForge()
  refused = await sql`select 1 / 0`.execute(forge.db).then(
    () => assert.fail(),
    (error: Error) => error,
  )
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** The lines for an error; fails if it would be a stack. */
function linesOf(error: unknown): string {
  const lines = explain(error)
  assert.ok(lines !== undefined, String(error))
  for (const line of lines) assert.doesNotMatch(line, /\n/)
  return lines.join('\n')
}

const linesOfWork = async (work: () => unknown) => {
  try {
    await work()
  } catch (error) {
    return linesOf(error)
  }
  throw new Error('it was accepted')
}

const setting = (name: string, value: string) => () =>
  loadConfig({ environment: { [settingVariable(name)]: value } })

for (const [name, value, line] of [
  ['database.url', 'not a url', /^database\.url \(environment\): must be a URL such as postgres:\/\//],
  ['database.url', 'mysql://a@b/c', /^database\.url .* must be a URL such as postgres:/],
  ['database.url', '', /^database\.url .* must be a URL such as postgres:/],
  ['bus.nats_url', 'host:4222', /^bus\.nats_url .* must be a URL such as nats:/],
  ['store.endpoint', 's3.example.com', /^store\.endpoint .* must be a URL such as https:/],
  ['telemetry.otlp_url', '127.0.0.1:4318', /^telemetry\.otlp_url .* must be a URL such as http:/],
  ['http.url', 'git.example.com', /^http\.url .* must be an address such as https:/],
  ['http.url', 'https://example.com/git', /^http\.url .* must have no path/],
  ['http.trusted_proxies', 'proxy', /^http\.trusted_proxies .*: proxy must be an address or a range of/],
  ['http.port', '70000', /^http\.port .* must be an integer from 0 to 65535/],
  ['store.driver', 'tape', /^store\.driver .* must be one of disk, s3/],
  ['http.prot', '80', /^BLOOMERY_HTTP_PROT: unknown setting; `bloomery config` lists them all/],
] as const)
  test(`the setting ${name} = «${value}» is refused in one line`, async () => {
    assert.match(await linesOfWork(setting(name, value)), line)
  })

for (const url of [
  'postgres://a:b,c@127.0.0.1:5432/d',
  'postgresql:///d?host=/run/postgresql',
  'postgres://a@/d?host=/x',
])
  test(`${url} is a URL of a database`, () => {
    assert.equal(setting('database.url', url)().values['database.url'], url)
  })

test('a configuration file that cannot be read or parsed is refused in one line', async () => {
  const missing = join(folder, 'none.toml')
  assert.match(
    await linesOfWork(() => loadConfig({ file: missing, environment: {} })),
    /none\.toml: cannot read the file \(ENOENT\); name another with --config/,
  )
  const odd = join(folder, 'odd.toml')
  await writeFile(odd, '[http]\nport = = 3\n')
  assert.match(await linesOfWork(() => loadConfig({ file: odd, environment: {} })), /odd\.toml: Invalid TOML/)
})

for (const [what, keys, line] of [
  ['no key', '', /^secrets\.keys: is not set; make one with `openssl rand -hex 32`/],
  ['a short key', 'hammer', /^secrets\.keys: key 1 has less than 32 characters; make one/],
  ['64 equal letters', 'z'.repeat(64), /^secrets\.keys: key 1 is not random; make one/],
  ['a repeated text', '0123456789abcdef'.repeat(4), /^secrets\.keys: key 1 is not random/],
  ['one key twice', `${KEY},${KEY}`, /^secrets\.keys: a key is listed twice/],
] as const)
  test(`${what} for secrets.keys is refused in one line`, async () => {
    const { values } = loadConfig({ environment: { BLOOMERY_SECRETS_KEYS: keys } })
    assert.match(await linesOfWork(() => sealOf(values)), line)
  })

test('a weak key that only decrypts is accepted behind a random one', () => {
  const environment = { BLOOMERY_SECRETS_KEYS: `${KEY},${'z'.repeat(64)}` }
  sealOf(loadConfig({ environment }).values)
})

const database = (code: string, message: string): Error =>
  Object.assign(Object.create(refused) as Error, { code, message })
const network = (code: string, more: object) =>
  Object.assign(new Error(code), { code, syscall: 'connect', ...more })

for (const [error, line] of [
  [
    network('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'base' }),
    /^database\.url: the host base was not/,
  ],
  [
    network('ECONNREFUSED', { address: '::1', port: 5432 }),
    /^database\.url: nothing listens on ::1:5432; start/,
  ],
  [
    new AggregateError([network('ECONNREFUSED', { address: '127.0.0.1', port: 1 })]),
    /^database\.url: nothing listens on 127\.0\.0\.1:1/,
  ],
  [network('ENOENT', { address: '/run/.s.PGSQL.5432' }), /^database\.url: there is no socket \/run/],
  [network('ETIMEDOUT', {}), /^database\.url: PostgreSQL does not answer \(ETIMEDOUT\)/],
  [
    new Error('timeout exceeded when trying to connect'),
    /^database\.url: PostgreSQL does not answer \(timeout/,
  ],
  [new Error('The server does not support SSL connections'), /^database\.url: .*sslmode/],
  [
    network('ENOENT', { syscall: 'spawn setpriv', path: 'setpriv' }),
    /^the program setpriv was not found; install/,
  ],
  [
    network('ENOSPC', { syscall: 'write', path: '/backup/objects' }),
    /^cannot use \/backup\/objects \(write ENOSPC\); make room there/,
  ],
  [
    new Problem('unavailable', 'object store failed', { key: 'a', failure: 'ENOSPC', store: '/backup' }),
    /^object store failed: ENOSPC \(\/backup\); make room there/,
  ],
  [
    new Problem('not_found', 'repository does not exist', { key: 'a/b' }),
    /^repository does not exist: a\/b$/,
  ],
] as const)
  test(`${error.message || 'several addresses'} of a command is one line`, () => {
    const aggregate =
      error instanceof AggregateError
        ? Object.assign(error, error.errors[0], { errors: error.errors })
        : error
    assert.match(linesOf(aggregate), line)
  })

for (const [code, message, line] of [
  ['28P01', 'password authentication failed for user "a"', /user "a"; correct user and password/],
  ['28000', 'role "a" does not exist', /role "a" does not exist; create the user/],
  ['3D000', 'database "a" does not exist', /database "a" does not exist; create it with `createdb`/],
  ['42501', 'permission denied for schema public', /; make the user the owner/],
  ['53300', 'too many clients', /; raise max_connections/],
] as const)
  test(`${message} of PostgreSQL is one line`, () => {
    const told = linesOf(database(code, message))
    assert.match(told, /^database\.url: /)
    assert.match(told, line)
  })

test('a mistake of ours keeps its stack', () => {
  assert.equal(explain(new TypeError('undefined is not a function')), undefined)
  assert.equal(explain(database('42P01', 'relation does not exist')), undefined)
})

test('an address that a server cannot listen on is one line', async () => {
  const taken = createServer()
  const listen = (host: string, port: number) =>
    new Promise<void>((resolve, reject) => {
      const server = createServer().once('error', reject)
      server.listen(port, host, () => server.close(() => resolve()))
    }).catch(cannotListen('http'))
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  assert.match(
    await linesOfWork(() => listen('127.0.0.1', port)),
    /^http\.port: port \d+ of 127\.0\.0\.1 is in use; stop the program/,
  )
  assert.match(
    await linesOfWork(() => listen('203.0.113.9', 0)),
    /^http\.host: 203\.0\.113\.9 is no address of/,
  )
  taken.close()
})

test('programs and servers that are too old are refused in one line', () => {
  assert.match(gitRefusal('git version 2.25.1') ?? '', /2\.25\.1 is too old; install 2\.39 or newer/)
  assert.equal(gitRefusal('git version 2.39.5'), undefined)
  assert.equal(gitRefusal('git version 3.0'), undefined)
  assert.match(postgresRefusal('13.4 (Debian)') ?? '', /^database\.url: PostgreSQL 13\.4 .*15 or newer/)
  assert.equal(postgresRefusal('15.14'), undefined)
})

test('an object store that cannot be used is one line', async () => {
  const driver = { BLOOMERY_STORE_DRIVER: 's3' }
  const nowhere = loadConfig({ environment: driver }).values
  assert.match(await linesOfWork(() => storeOptions(nowhere)), /^store\.endpoint: is empty; the S3 service/)
  const s3 = { ...driver, BLOOMERY_STORE_ENDPOINT: 'http://127.0.0.1:1' }
  const lacking = loadConfig({ environment: s3 }).values
  assert.match(await linesOfWork(() => storeOptions(lacking)), /^store\.access_key_id: is empty/)
  const keys = { BLOOMERY_STORE_ACCESS_KEY_ID: 'a', BLOOMERY_STORE_SECRET_ACCESS_KEY: 'b' }
  const store = await openObjectStore(storeOptions(loadConfig({ environment: { ...s3, ...keys } }).values))
  assert.match(
    await linesOfWork(() => probeObjectStore(store)),
    /^the object store \(driver s3\) .*ECONNREFUSED\); start the service, or correct store\.endpoint/,
  )
  await store.close()
  const file = join(folder, 'file')
  await writeFile(file, '')
  assert.match(
    await linesOfWork(() => openObjectStore({ driver: 'disk', folder: file })),
    /^store\.folder: cannot use the folder .*\(E\w+\); let the user/,
  )
})

async function run(
  words: readonly string[],
  settings: Partial<Record<keyof Config | 'http.prot', string>>,
): Promise<{ code: number; said: string }> {
  const quiet = { 'git.cache_folder': join(folder, 'cache'), 'log.level': 'error' }
  const { code, stderr } = await runCommand(forge.world, words, { ...quiet, ...settings })
  return { code, said: stderr }
}

const closed = 'postgres://nobody@127.0.0.1:1/none'
const otherDatabase = (name: string) => {
  const url = new URL(forge.world.config['database.url'])
  url.pathname = `/${name}`
  return url.href
}

for (const [words, settings, line] of [
  [
    ['migrate'],
    () => ({ 'database.url': closed }),
    /^error: database\.url: nothing listens on 127\.0\.0\.1:1/,
  ],
  [
    ['migrate'],
    () => ({ 'database.url': otherDatabase('none') }),
    /^error: database\.url: database "none" does/,
  ],
  [['serve', '--workers', '0'], () => ({}), /^error: option '--workers <n>' .* must be at least 1/],
  [
    ['serve', '--workers', '2'],
    () => ({ 'database.url': closed }),
    /^(error: database\.url: nothing .*\n?){1,2}$/,
  ],
  [
    ['serve'],
    () => ({ 'database.url': otherDatabase('postgres') }),
    /^error: database has no schema: run `bloom/,
  ],
  [
    ['serve'],
    () => ({ 'http.port': new URL(forge.bases[0] ?? '').port }),
    /^error: http\.port: port \d+ of 127/,
  ],
  [
    ['backup', '--to', '/dev/null/backup'],
    () => ({}),
    /^error: cannot use \/dev\/null\/backup \(mkdir ENOTDIR\); a part of this path is a file; name a folder$/,
  ],
  [
    ['admin', 'user', 'create', '--username', 'ann', '--email', 'ann@example.test', '--password', 'a'],
    () => ({}),
    /^error: password is too short \(least \d+\)$/,
  ],
  [['admin', 'user', 'token', 'nobody'], () => ({}), /^error: user nobody does not exist$/],
] as const)
  test(`bloomery ${words.join(' ')}: ${line.source.slice(1, 60)}`, async () => {
    const { code, said } = await run(words, settings())
    assert.equal(code, 1)
    assert.match(said.trimEnd(), line)
    assert.doesNotMatch(said, /^\s+at /m)
    if (!(words as readonly string[]).includes('2')) assert.equal(said.trimEnd().split('\n').length, 1, said)
  })

test('--debug adds the stack', async () => {
  const { said } = await run(['--debug', 'migrate'], { 'database.url': closed })
  assert.match(said, /^error: database\.url: /)
  assert.match(said, /^\s+at /m)
})
