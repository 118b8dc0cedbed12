/** Labels, milestones and issue forms in a browser. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'eve']) await forge.person(login)
await forge.call('ann', 'POST', '/user/repos', { name: 'furnace' })
const REPO = '/repos/ann/furnace'
const ann = await forge.browserOf('ann')
const eve = await forge.browserOf('eve')
const HOSTILE = '"><script>alert(1)</script>'

test('labels are created, changed, deleted, and added from a label set', async () => {
  const path = '/ann/furnace/labels'
  const list = async () => (await forge.call('ann', 'GET', `${REPO}/labels?limit=50`)).body
  const fields = { name: HOSTILE, color: '#aa0000', description: 'broken' }
  assert.equal((await ann.submit(path, 'create', fields)).status, 303)
  const [made] = await list()
  assert.deepEqual([made.name, made.color, made.description], [HOSTILE, 'aa0000', 'broken'])
  const shown = await eve.get(path)
  assert.ok(shown.text.includes('&lt;script&gt;') && !shown.text.includes('<script>alert'))
  assert.ok(!shown.text.includes('value="edit"'))
  await ann.submit(path, 'edit', { ...fields, id: `${made.id}`, name: 'bug', is_archived: 'true' })
  assert.deepEqual([(await list())[0].name, (await list())[0].is_archived], ['bug', true])
  const refused = await ann.submit(path, 'create', { name: 'kept', color: 'nonsense' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /value="kept"/)
  assert.equal((await eve.submit(path, 'create', fields)).status, 422)
  await ann.submit(path, 'delete', { id: `${made.id}` })
  assert.deepEqual(await list(), [])
  const [set] = (await forge.call('ann', 'GET', '/label/templates')).body
  assert.equal((await ann.submit(path, 'set', { set })).status, 303)
  const count = (await list()).length
  assert.ok(count > 3)
  assert.equal((await ann.submit(path, 'set', { set })).status, 303)
  assert.equal((await list()).length, count)
})

test('a milestone is created, filled, closed with its due date, edited and deleted', async () => {
  const made = await ann.submit('/ann/furnace/milestones/new', 'create', {
    title: 'First melt',
    description: 'all of *it*',
    due_on: '2031-05-06',
  })
  const path = made.headers.get('location') ?? ''
  const id = path.split('/').at(-1) ?? ''
  const record = async () => (await forge.call('ann', 'GET', `${REPO}/milestones/${id}`)).body
  await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Within', milestone: Number(id) })
  const { text } = await eve.get(path)
  assert.match(text, /Within/)
  assert.match(text, /<em>it<\/em>/)
  assert.match(text, /0 of 1 closed/)
  await ann.submit(path, 'close', {})
  assert.deepEqual([(await record()).state, (await record()).due_on.slice(0, 10)], ['closed', '2031-05-06'])
  await ann.submit(path, 'reopen', {})
  assert.equal((await eve.submit(path, 'close', {})).status, 422)
  await ann.submit(`/ann/furnace/milestones/${id}/edit`, 'edit', {
    title: 'Second',
    description: '',
    due_on: '',
  })
  assert.deepEqual([(await record()).title, (await record()).due_on], ['Second', null])
  assert.match((await eve.get('/ann/furnace/milestones')).text, /Second/)
  assert.equal((await ann.submit(path, 'delete', {})).headers.get('location'), '/ann/furnace/milestones')
  assert.equal((await eve.get(path)).status, 404)
})

const FORM = `name: Broken
description: It does not work
title: "[broken] "
labels: [bug]
body:
  - type: markdown
    attributes: { value: "**Thank** you" }
  - type: input
    id: where
    attributes: { label: Where }
    validations: { required: true }
  - type: dropdown
    id: ore
    attributes: { label: Ore, options: [magnetite, hematite] }
  - type: checkboxes
    id: tried
    attributes: { label: Tried, options: [{ label: coal }, { label: ore }] }
  - type: textarea
    id: log
    attributes: { label: Log, render: sh }
`

test('an issue form of the repository is shown as fields, and its answers become the text of the issue', async () => {
  const file = '.gitea/ISSUE_TEMPLATE/broken.yaml'
  await forge.call('ann', 'POST', `${REPO}/contents/${file}`, {
    content: Buffer.from(FORM).toString('base64'),
    message: 'Form',
    branch: 'main',
  })
  const chosen = await eve.get('/ann/furnace/issues/new/choose')
  assert.match(chosen.text, /It does not work/)
  const path = `/ann/furnace/issues/new?template=${encodeURIComponent(file)}`
  const { text } = await eve.get(path)
  assert.match(text, /<strong>Thank<\/strong>/)
  assert.match(text, /value="\[broken\] "/)
  const fields = {
    template: file,
    title: 'No heat',
    field_ore: 'hematite',
    field_tried: '1',
    field_log: 'cold',
  }
  const refused = await eve.submit(path, 'create', { ...fields, field_where: '' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Where is required/)
  assert.match(refused.text, />\s*cold<\/textarea>/)
  const made = await eve.submit(path, 'create', { ...fields, field_where: 'north' })
  const { body } = await forge.call('eve', 'GET', `/repos${made.headers.get('location')}`)
  assert.equal(
    body.body,
    '### Where\n\nnorth\n\n### Ore\n\nhematite\n\n### Tried\n\n- [ ] coal\n- [x] ore\n\n### Log\n\n```sh\ncold\n```',
  )
})
