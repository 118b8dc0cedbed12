/** The dev container and compose.yaml agree with what the rest of the tree says. No container is started. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import { loadConfig } from '../../src/cli/load-config.ts'

const compose = parse(await readFile('compose.yaml', 'utf8'))
const dockerfile = await readFile('.devcontainer/Dockerfile', 'utf8')
const container = JSON.parse(await readFile('.devcontainer/devcontainer.json', 'utf8'))
const { engines } = JSON.parse(await readFile('package.json', 'utf8'))

test('containers run the Node that package.json demands', () => {
  const major = Number.parseInt(engines.node.replace('>=', ''), 10)
  const image = `node:${major}-bookworm`
  assert.match(dockerfile, new RegExp(`^FROM ${image}$`, 'm'))
  assert.equal(compose.services.node.image, image)
})

test('the dev container does what CI does before it checks', async () => {
  const steps = await readFile('.ci/run', 'utf8')
  const [, folder] = /^export PATH="\$PWD\/(\S+):\$PATH"$/m.exec(steps) ?? []
  assert.equal(container.remoteEnv.PATH, `\${containerWorkspaceFolder}/${folder}:\${containerEnv:PATH}`)
  for (const command of container.postCreateCommand.split(' && '))
    assert.ok(steps.split('\n').includes(command), `CI does not run ${command}`)
})

test('the node of compose.yaml has settings that exist, and listens where its port leads', () => {
  const { environment, ports } = compose.services.node
  const { values, sources } = loadConfig({ environment })
  const given = Object.values(sources).filter((it) => it === 'environment')
  assert.equal(given.length, Object.keys(environment).length)
  assert.equal(ports[0], `127.0.0.1:${new URL(values['http.url']).port}:${values['http.port']}`)
  assert.equal(new URL(values['database.url']).hostname, 'postgres')
})
