/** The unit of systemd, the settings of the Debian package and the chart name settings that exist. Nothing is started. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { settingVariable } from '#platform/config'
import { loadConfig } from '../../src/cli/load-config.ts'

const FILES = 'tools/package/files'
const CHART = 'deploy/helm/bloomery'
const { version } = JSON.parse(await readFile('package.json', 'utf8'))

let secret: string
before(async () => {
  secret = join(await mkdtemp(join(tmpdir(), 'bloomery-settings-')), 'secret')
  await writeFile(secret, 'postgres://bloomery:anvil@127.0.0.1/bloomery\n')
})
after(() => rm(join(secret, '..'), { recursive: true, force: true }))

test('the service of the Debian package gets its secrets as files, and so does its command', async () => {
  const unit = await readFile(`${FILES}/bloomery.service`, 'utf8')
  const command = await readFile(`${FILES}/command.sh`, 'utf8')
  const credentials = [...unit.matchAll(/^LoadCredential=(\S+):\/etc\/bloomery\/(\S+)$/gm)]
  assert.ok(credentials.length > 1)
  const environment: Record<string, string> = {}
  for (const [, name = '', file] of credentials) {
    const variable = `${settingVariable(name)}_FILE`
    environment[variable] = secret
    assert.equal(file, name)
    assert.ok(unit.includes(`\nEnvironment=${variable}=%d/${name}\n`), variable)
    assert.ok(command.includes(`\${${variable}=/etc/bloomery/${name}}`), variable)
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
