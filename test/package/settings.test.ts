/** The unit of systemd, the settings of the Debian package and the chart name settings that exist. Nothing is started. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { settingVariable } from '#platform/config'
import { loadConfig } from '../../src/cli/load-config.ts'

const run = promisify(execFile)

const FILES = 'tools/package/files'
const CHART = 'deploy/helm/bloomery'
const { version } = JSON.parse(await readFile('package.json', 'utf8'))

let secret: string
before(async () => {
  secret = join(await mkdtemp(join(tmpdir(), 'bloomery-settings-')), 'secret')
  await writeFile(secret, 'postgres://bloomery:anvil@127.0.0.1/bloomery\n')
})
after(() => rm(join(secret, '..'), { recursive: true, force: true }))

test('the service of the Debian package gets its secrets as files', async () => {
  const unit = await readFile(`${FILES}/bloomery.service`, 'utf8')
  const credentials = [...unit.matchAll(/^LoadCredential=(\S+):\/etc\/bloomery\/(\S+)$/gm)]
  assert.ok(credentials.length > 1)
  const environment: Record<string, string> = {}
  for (const [, name = '', file] of credentials) {
    const variable = `${settingVariable(name)}_FILE`
    environment[variable] = secret
    assert.equal(file, name)
    assert.ok(unit.includes(`\nEnvironment=${variable}=%d/${name}\n`), variable)
  }
  const { sources, values } = loadConfig({ file: `${FILES}/bloomery.toml`, environment })
  assert.equal(sources['database.url'], 'environment')
  assert.equal(sources['secrets.keys'], 'environment')
  assert.equal(values['ssh.user'], /^User=(\S+)$/m.exec(unit)?.[1])
  for (const name of ['store.folder', 'git.cache_folder', 'ssh.folder'] as const)
    assert.match(values[name], /^\/var\/(?:lib|cache)\/bloomery\//)
})

test('the chart has the version of the forge, and values that are settings', async () => {
  const chart = parse(await readFile(`${CHART}/Chart.yaml`, 'utf8'))
  assert.deepEqual([chart.version, chart.appVersion], [version, version])
  const { settings, secretFiles } = parse(await readFile(`${CHART}/values.yaml`, 'utf8'))
  const given = Object.entries(settings).map(([name, value]) => [settingVariable(name), String(value)])
  const files = secretFiles.map((name: string) => [`${settingVariable(name)}_FILE`, secret])
  const { sources } = loadConfig({ environment: Object.fromEntries([...given, ...files]) })
  const named = Object.values(sources).filter((it) => it === 'environment')
  assert.equal(named.length, given.length + files.length)
})

test('README gives the chart values that it has and settings that exist', async () => {
  const readme = await readFile('README.md', 'utf8')
  const [, text = ''] = /^cat > values\.yaml <<'END'\n(.*?)^END$/ms.exec(readme) ?? []
  const { settings, ...values } = parse(text)
  const known = parse(await readFile(`${CHART}/values.yaml`, 'utf8'))
  for (const [name, value] of Object.entries<object>(values))
    for (const key of Object.keys(value)) assert.ok(key in known[name], `${name}.${key}`)
  const given = { ...known.settings, ...settings }
  for (const [name, value] of Object.entries(given)) assert.notEqual(value, '', `${name} is needed`)
  const variables = Object.entries(given).map(([name, value]) => [settingVariable(name), String(value)])
  loadConfig({ environment: Object.fromEntries(variables) })
  assert.doesNotMatch(readme, /--set settings/, 'a shell takes the backslash of a name away')
})

suite('the command of the Debian package', () => {
  let folder: string
  const stub = (name: string, text: string) =>
    writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  /** The command with all of its folders in ours. */
  const call = async (environment: Record<string, string> = {}) => {
    const text = await readFile(`${FILES}/command.sh`, 'utf8')
    await stub('bloomery', text.replaceAll('/etc/bloomery', folder).replace(/\S+\/bin\/bloomery/, 'env'))
    const env = { PATH: `${folder}:/usr/bin:/bin`, ...environment }
    return (await run(join(folder, 'bloomery'), ['A=b c'], { env })).stdout
  }
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bloomery-command-test-'))
    await stub('id', 'echo 1000')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('reads every secret that has a file, unless the environment gives it', async () => {
    const { settings } = loadConfig({ environment: {} })
    const secrets = Object.keys(settings).filter((name) => settings[name]?.isSecret)
    for (const name of secrets) await writeFile(join(folder, name), 'secret')
    const found = `\n${await call()}`
    for (const name of secrets)
      assert.ok(found.includes(`\n${settingVariable(name)}_FILE=${join(folder, name)}\n`), name)
    assert.match(found, new RegExp(`^BLOOMERY_CONFIG=${folder}/bloomery\\.toml$`, 'm'))
    assert.match(found, /^A=b c$/m)
    const given = await call({ BLOOMERY_MAIL_PASSWORD: 'hammer' })
    assert.doesNotMatch(given, /^BLOOMERY_MAIL_PASSWORD_FILE/m)
  })

  test('becomes the user of the service when root calls it', async () => {
    await stub('id', 'echo 0')
    await stub('runuser', 'echo "$HOME $*"')
    assert.equal(await call(), `/var/lib/bloomery -u bloomery -- ${join(folder, 'bloomery')} A=b c\n`)
  })
})
