/** Fifty users change one issue over three nodes: no update is lost, and the timeline is consistent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
let milestones: number[]
let labels: number[]
before(async () => {
  forge = await startForge({ nodes: 3 })
  for (const login of ['ann', ...PEOPLE]) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'one' })
  for (const login of PEOPLE)
    await forge.call('ann', 'PUT', `${ROOT}/collaborators/${login}`, { permission: 'write' })
  milestones = await make('milestones', ['first', 'second'], (title) => ({ title }))
  labels = await make('labels', ['size/s', 'size/m', 'size/l', 'bug', 'docs'], (name) => ({
    name,
    color: '#abc',
    exclusive: name.startsWith('size/'),
  }))
})
after(() => forge[Symbol.asyncDispose]())

const ROOT = '/repos/ann/one'
const PEOPLE = ['bea', 'cal', 'dot', 'eli', 'fay']
const EDITORS = 50

const make = async (what: string, names: readonly string[], body: (name: string) => object) => {
  const ids: number[] = []
  for (const name of names) ids.push((await forge.call('ann', 'POST', `${ROOT}/${what}`, body(name))).body.id)
  return ids
}
const open = async (): Promise<number> =>
  (await forge.call('ann', 'POST', `${ROOT}/issues`, { title: 'first', body: 'first' })).body.number
const get = async (number: number) => (await forge.call('ann', 'GET', `${ROOT}/issues/${number}`)).body
const edit = (i: number, number: number, body: object) =>
  forge.call(at(PEOPLE, i), 'PATCH', `${ROOT}/issues/${number}`, body)
const many = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()

function at<T>(list: readonly T[], i: number): T {
  const item = list[i % list.length]
  assert.ok(item !== undefined)
  return item
}

/** The timeline in the order it was written. */
function entriesOf(number: number, kind: 'change_title' | 'change_issue_ref' | 'label' | 'assignees') {
  return forge.db
    .selectFrom('issue_comment')
    .innerJoin('issue', 'issue.id', 'issue_comment.issue_id')
    .select(['issue_comment.body', 'issue_comment.payload'])
    .where('issue.number', '=', number)
    .where('issue_comment.kind', '=', kind)
    .orderBy('issue_comment.id')
    .execute()
}

test('fifty concurrent edits of one issue lose no field, and none is refused', async () => {
  const n = await open()
  const fields = [
    (i: number) => ({ title: `title ${i}` }),
    (i: number) => ({ body: `body ${i}` }),
    (i: number) => ({ ref: `ref-${i}` }),
    (i: number) => ({ due_date: `2031-01-${10 + (i % 15)}T00:00:00Z` }),
    (i: number) => ({ milestone: at(milestones, i) }),
  ]
  const answers = await many(EDITORS, (i) => edit(i, n, at(fields, i)(i)))
  assert.deepEqual(new Set(statuses(answers)), new Set([201]))
  const issue = await get(n)
  assert.match(issue.title, /^title \d+$/)
  assert.match(issue.body, /^body \d+$/)
  assert.match(issue.ref, /^ref-\d+$/)
  assert.match(issue.due_date, /^2031-01-/)
  assert.ok(milestones.includes(issue.milestone.id))
  assert.equal(issue.content_version, EDITORS / fields.length)
  // Each edit began with the title that the one before it set.
  const titles = (await entriesOf(n, 'change_title')).map(({ payload }) => payload)
  assert.equal(titles.length, EDITORS / fields.length)
  assert.deepEqual(
    ['first', ...titles.map(({ new_title }) => new_title)],
    [...titles.map(({ old_title }) => old_title), issue.title],
  )
  const refs = (await entriesOf(n, 'change_issue_ref')).map(({ payload }) => payload)
  assert.deepEqual(
    ['', ...refs.map(({ new_ref }) => new_ref)],
    [...refs.map(({ old_ref }) => old_ref), issue.ref],
  )
  const counted = await forge.call('ann', 'GET', `${ROOT}/milestones?state=all`)
  const open_issues = counted.body.map((it: { open_issues: number }) => it.open_issues)
  assert.equal(open_issues[0] + open_issues[1], 1)
})

test('of edits with the same content_version one succeeds and the rest get 409; edits without one succeed', async () => {
  const n = await open()
  const answers = await many(EDITORS, (i) =>
    i % 2 === 0
      ? edit(i, n, { body: `raced ${i}`, content_version: 0 })
      : edit(i, n, { title: `title ${i}` }),
  )
  const raced = answers.filter((_, i) => i % 2 === 0)
  const others = answers.filter((_, i) => i % 2 === 1)
  assert.deepEqual(statuses(raced), [201, ...Array.from({ length: EDITORS / 2 - 1 }, () => 409)])
  assert.deepEqual(new Set(statuses(others)), new Set([201]))
  const issue = await get(n)
  const winner = raced.find(({ status }) => status === 201)
  assert.deepEqual([issue.content_version, issue.body], [1, winner?.body.body])
})

test('after fifty concurrent changes, labels and assignees match the timeline', async () => {
  const n = await open()
  const path = `${ROOT}/issues/${n}`
  const answers = await many(EDITORS, (i) => {
    const as = at(PEOPLE, i)
    const people = { assignees: [at(PEOPLE, i), at(PEOPLE, i + 1)] }
    switch (i % 4) {
      case 0:
        return forge.call(as, 'POST', `${path}/labels`, { labels: [at(labels, i), at(labels, i + 3)] })
      case 1:
        return forge.call(as, 'PUT', `${path}/labels`, { labels: [at(labels, i)] })
      case 2:
        return forge.call(as, 'POST', `${path}/assignees`, people)
      default:
        return forge.call(as, 'DELETE', `${path}/assignees`, people)
    }
  })
  assert.ok(answers.every(({ status }) => status < 300))
  const issue = await get(n)
  const on: number[] = issue.labels.map(({ id }: { id: number }) => id)
  assert.ok(issue.labels.filter(({ name }: { name: string }) => name.startsWith('size/')).length <= 1)
  const told = new Set<number>()
  for (const { body, payload } of await entriesOf(n, 'label'))
    toggle(told, payload.label_id ?? 0, body === '1')
  assert.deepEqual([...told].sort(), [...on].sort())
  const counts = await forge.db.selectFrom('label_count').select(['label_id', 'issues']).execute()
  for (const { label_id, issues } of counts) assert.equal(issues, on.includes(label_id) ? 1 : 0)
  const working = new Set<number>()
  for (const { payload } of await entriesOf(n, 'assignees'))
    toggle(working, payload.assignee_id ?? 0, payload.is_removed !== true)
  const assignees: number[] = issue.assignees.map(({ id }: { id: number }) => id)
  assert.deepEqual([...working].sort(), [...assignees].sort())
})

/** Asserts that an added id was absent and a removed one present. */
function toggle(set: Set<number>, id: number, isAdded: boolean): void {
  assert.equal(set.has(id), !isAdded)
  if (isAdded) set.add(id)
  else set.delete(id)
}

test('fifty concurrent creations and ten refusals leave no duplicate number and no gap', async () => {
  const last = await open()
  const answers = await many(EDITORS + 10, (i) =>
    forge.call(at(PEOPLE, i), 'POST', `${ROOT}/issues`, {
      title: `at once ${i}`,
      assignees: i % 6 === 5 ? ['nobody-knows'] : [],
    }),
  )
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.number as number)
  assert.equal(answers.filter(({ status }) => status === 422).length, 10)
  assert.deepEqual(
    made.sort((a, b) => a - b),
    Array.from({ length: EDITORS }, (_, i) => last + 1 + i),
  )
})
