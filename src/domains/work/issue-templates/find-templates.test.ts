/** Issue templates over REST: found in the default branch, and parsed without blocking the node. */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'town', auto_init: true })
})
after(() => forge[Symbol.asyncDispose]())

const FORM = 'name: a\nabout: a\nbody:\n  - {type: markdown, attributes: {value: a}}\n'
/** As many keys as fit: the YAML parser compares each key with all others, which takes seconds. */
const MANY_KEYS = FORM + Array.from({ length: 17_000 }, (_, i) => `k${i}:\n`).join('')

async function write(path: string, text: string): Promise<void> {
  const body = { content: Buffer.from(text).toString('base64'), message: 'm' }
  const { status } = await forge.call('ann', 'POST', `/repos/ann/town/contents/${path}`, body)
  assert.equal(status, 201)
}

async function templates(): Promise<string[][]> {
  const { body } = await forge.call(null, 'GET', '/repos/ann/town/issue_templates')
  return (body as { file_name: string; ref: string }[]).map(({ file_name, ref }) => [file_name, ref])
}

test('a file with thousands of keys is parsed while the node serves other requests', async () => {
  await write('.gitea/ISSUE_TEMPLATE/many.yaml', MANY_KEYS)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  assert.deepEqual(await templates(), [['.gitea/ISSUE_TEMPLATE/many.yaml', 'refs/heads/']])
  delay.disable()
  assert.ok(delay.max < 2e9, `the event loop stood still for ${Math.round(delay.max / 1e6)} ms`)
})

test('a duplicate key makes a file invalid; a full ref is kept', async () => {
  await write('.gitea/ISSUE_TEMPLATE/twice.yaml', `${FORM}name: b\n`)
  await write('.gitea/ISSUE_TEMPLATE/words.md', '---\nname: w\nabout: a\nref: refs/tags/v1\n---\ntext')
  assert.deepEqual(await templates(), [
    ['.gitea/ISSUE_TEMPLATE/many.yaml', 'refs/heads/'],
    ['.gitea/ISSUE_TEMPLATE/words.md', 'refs/tags/v1'],
  ])
})

test('the config file is parsed in the same way', async () => {
  await write('.gitea/ISSUE_TEMPLATE/config.yaml', 'blank_issues_enabled: false')
  const { body } = await forge.call(null, 'GET', '/repos/ann/town/issue_config')
  assert.deepEqual(body, { blank_issues_enabled: false, contact_links: [] })
})

test('at most fifty templates are read from all folders together', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'many', auto_init: true })
  const files = ['.gitea', '.github'].flatMap((place) =>
    Array.from({ length: 40 }, (_, i) => ({
      operation: 'create',
      path: `${place}/ISSUE_TEMPLATE/${i}.md`,
      content: Buffer.from(`words ${i}`).toString('base64'),
    })),
  )
  const made = await forge.call('ann', 'POST', '/repos/ann/many/contents', { files, message: 'm' })
  assert.equal(made.status, 201)
  const { body } = await forge.call(null, 'GET', '/repos/ann/many/issue_templates')
  assert.equal((body as unknown[]).length, 50)
})
