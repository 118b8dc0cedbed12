/** Attachments of issues and comments over HTTP: access, presentation and deletion. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectAttachments } from '../../../code/attachments/store.ts'
import { sweepAttachments } from '../../../code/attachments/sweep.ts'

const DAY_MS = 24 * 3_600_000
const ROOT = '/repos/ann/one/issues'
const VAULT = '/repos/ann/vault/issues'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve', 'sam']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'one' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

interface File {
  readonly id: number
  readonly uuid: string
  readonly name: string
}
const newIssue = async (as = 'eve', root = ROOT): Promise<number> =>
  (await forge.call(as, 'POST', root, { title: 'with files' })).body.number
const newComment = async (as: string, n: number, root = ROOT): Promise<number> =>
  (await forge.call(as, 'POST', `${root}/${n}/comments`, { body: 'with files' })).body.id

async function upload(as: string | null, path: string, name = 'a.txt', text = 'text') {
  const body = new FormData()
  body.append('attachment', new Blob([text]), name)
  const headers = as === null ? {} : { authorization: `token ${forge.tokenOf(as)}` }
  const response = await fetch(`${forge.base}/api/v1${path}/assets`, { method: 'POST', body, headers })
  const answer = response.status === 201 ? ((await response.json()) as File) : null
  return { status: response.status, file: answer as File }
}
const download = async (as: string | null, { uuid }: File) =>
  (await forge.call(as, 'GET', `//attachments/${uuid}`)).status

for (const [as, onIssue, onComment] of [
  [null, 401, 401],
  ['sam', 403, 403],
  ['eve', 201, 403],
  ['wes', 201, 201],
  ['ann', 201, 201],
] as const)
  test(`${as ?? 'an anonymous caller'} attaches to an issue and a comment of eve: ${onIssue}, ${onComment}`, async () => {
    const n = await newIssue()
    const comment = await newComment('eve', n)
    for (const [path, status] of [
      [`${ROOT}/${n}`, onIssue],
      [`${ROOT}/comments/${comment}`, onComment],
    ] as const) {
      assert.equal((await upload(as, path)).status, status)
      const { file } = await upload('ann', path)
      const at = `${path}/assets/${file.id}`
      assert.equal((await forge.call(as, 'PATCH', at, { name: 'b.txt' })).status, status)
      assert.equal((await forge.call(as, 'GET', at)).status, 200)
      assert.equal((await forge.call(as, 'DELETE', at)).status, status === 201 ? 204 : status)
      assert.equal((await forge.call(as, 'GET', at)).status, status === 201 ? 404 : 200)
    }
  })

test('attachments are readable by users who may read their issue', async () => {
  const n = await newIssue('ann', VAULT)
  const comment = await newComment('ann', n, VAULT)
  for (const path of [`${VAULT}/${n}`, `${VAULT}/comments/${comment}`]) {
    const { file } = await upload('ann', path)
    for (const [as, status] of [
      [null, 404],
      ['eve', 404],
      ['ann', 200],
    ] as const) {
      assert.equal(await download(as, file), status)
      assert.equal((await forge.call(as, 'GET', `${path}/assets`)).status, status)
      assert.equal((await forge.call(as, 'GET', `${path}/assets/${file.id}`)).status, status)
      if (as === 'eve') assert.equal((await upload(as, path)).status, 404)
    }
  }
})

test('a removed collaborator loses access to attachments at once, also to their own', async () => {
  const n = await newIssue('ann', VAULT)
  const { file } = await upload('ann', `${VAULT}/${n}`)
  const collaborator = `${VAULT.replace('/issues', '')}/collaborators/eve`
  assert.equal((await forge.call('ann', 'PUT', collaborator, { permission: 'write' })).status, 204)
  const own = await upload('eve', `${VAULT}/${n}`)
  assert.deepEqual([await download('eve', file), await download('eve', own.file)], [200, 200])
  assert.equal((await forge.call('ann', 'DELETE', collaborator)).status, 204)
  assert.deepEqual([await download('eve', file), await download('eve', own.file)], [404, 404])
  const asset = `${VAULT}/${n}/assets/${own.file.id}`
  assert.equal((await forge.call('eve', 'DELETE', asset)).status, 404)
})

test('an archived repository accepts no attachments, and one without issues has none', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'old' })
  const root = '/repos/ann/old/issues'
  const n = await newIssue('eve', root)
  const comment = await newComment('eve', n, root)
  for (const path of [`${root}/${n}`, `${root}/comments/${comment}`]) {
    const { file } = await upload('ann', path)
    const at = `${path}/assets/${file.id}`
    await forge.call('ann', 'PATCH', '/repos/ann/old', { archived: true })
    assert.equal((await upload('ann', path)).status, 423)
    assert.equal((await forge.call('ann', 'PATCH', at, { name: 'b.txt' })).status, 423)
    assert.equal((await forge.call('ann', 'DELETE', at)).status, 423)
    assert.equal(await download(null, file), 200)
    await forge.call('ann', 'PATCH', '/repos/ann/old', { archived: false, has_issues: false })
    assert.equal((await upload('ann', path)).status, 404)
    assert.equal((await forge.call('ann', 'GET', at)).status, 404)
    assert.equal(await download('ann', file), 404)
    await forge.call('ann', 'PATCH', '/repos/ann/old', { has_issues: true })
  }
})

test('an attachment is not reachable through another issue, comment or repository', async () => {
  const [n, other] = [await newIssue(), await newIssue()]
  const comment = await newComment('wes', n)
  const { file } = await upload('wes', `${ROOT}/${n}`)
  await newIssue('ann', VAULT)
  for (const path of [`${ROOT}/${other}`, `${ROOT}/comments/${comment}`, `${VAULT}/1`])
    for (const [method, body] of [['GET'], ['PATCH', { name: 'b.txt' }], ['DELETE']] as const)
      assert.equal((await forge.call('ann', method, `${path}/assets/${file.id}`, body)).status, 404)
  assert.equal((await forge.call('ann', 'GET', `${VAULT}/comments/${comment}/assets`)).status, 404)
})

test('a timeline entry that is no comment accepts no attachments', async () => {
  const n = await newIssue()
  await forge.call('eve', 'PATCH', `${ROOT}/${n}`, { state: 'closed' })
  const [entry] = (await forge.call(null, 'GET', `${ROOT}/${n}/timeline`)).body
  assert.equal(entry.type, 'close')
  assert.equal((await upload('ann', `${ROOT}/comments/${entry.id}`)).status, 404)
})

test('issues and comments list their attachments, and a new one increments content_version', async () => {
  const n = await newIssue()
  const comment = await newComment('wes', n)
  forge.advance(60_000)
  const { file } = await upload('eve', `${ROOT}/${n}`)
  const { file: said } = await upload('wes', `${ROOT}/comments/${comment}`)
  const { body: issue } = await forge.call(null, 'GET', `${ROOT}/${n}`)
  assert.deepEqual(issue.assets, [file])
  assert.equal(issue.content_version, 1)
  assert.notEqual(issue.updated_at, issue.created_at)
  for (const path of [`${ROOT}/${n}/comments`, `${ROOT}/comments?limit=50`]) {
    const { body: comments } = await forge.call(null, 'GET', path)
    assert.deepEqual(comments.find(({ id }: { id: number }) => id === comment).assets, [said])
  }
  const { body: alone } = await forge.call(null, 'GET', `${ROOT}/comments/${comment}`)
  assert.deepEqual([alone.assets, alone.updated_at], [[said], issue.updated_at])
})

test('a user blocked by the owner cannot attach files', async () => {
  await forge.person('pat')
  const n = await newIssue('pat')
  await forge.call('ann', 'PUT', '/user/blocks/pat')
  assert.equal((await upload('pat', `${ROOT}/${n}`)).status, 403)
  assert.deepEqual((await forge.call(null, 'GET', `${ROOT}/${n}/assets`)).body, [])
})

test('an issue has at most a hundred attachments, also with concurrent uploads', async () => {
  const n = await newIssue()
  const { id } = await forge.db
    .selectFrom('issue')
    .select('id')
    .where('number', '=', n)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await insertMany(
    forge.db,
    sql`insert into attachment (uuid, issue_id, name, bytes, picture_type, created_at)
    select gen_random_uuid(), ${id}, 'a.txt', 0, '', now() from generate_series(1, 97)`,
  )
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload('eve', `${ROOT}/${n}`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 413, 413, 413])
  assert.equal((await forge.call(null, 'GET', `${ROOT}/${n}/assets`)).body.length, 100)
})

test('attachments are deleted with their comment, issue or repository, and their bytes by the sweep', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'short' })
  const root = '/repos/ann/short/issues'
  const [n, gone, last] = [
    await newIssue('ann', root),
    await newIssue('ann', root),
    await newIssue('ann', root),
  ]
  const said = await newComment('ann', n, root)
  const under = await newComment('ann', gone, root)
  const files: File[] = []
  for (const path of [`comments/${said}`, gone, `comments/${under}`, last, `${n}`])
    files.push((await upload('ann', `${root}/${path}`)).file)
  await forge.call('ann', 'DELETE', `${root}/comments/${said}`)
  await forge.call('ann', 'DELETE', `${root}/${gone}`)
  const kept = async () => {
    const stored = files.map(({ uuid }) => forge.ctx.store.stat(`attachments/${uuid.slice(0, 2)}/${uuid}`))
    return (await Promise.all(stored)).map((it) => it !== undefined)
  }
  assert.deepEqual(await Promise.all(files.map((file) => download('ann', file))), [404, 404, 404, 200, 200])
  forge.advance(DAY_MS + 1_000)
  await sweepAttachments(forge.ctx)
  await forge.deleteDiscarded()
  assert.deepEqual(await kept(), [false, false, false, true, true])
  assert.equal((await forge.call('ann', 'DELETE', '/repos/ann/short')).status, 204)
  assert.equal(await download('ann', files[3] as File), 404)
  await sweepAttachments(forge.ctx)
  await forge.deleteDiscarded()
  assert.deepEqual(await kept(), [false, false, false, false, false])
})

test('lists of issues and comments need the same few queries with attachments as without', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'many' })
  const root = '/repos/ann/many/issues'
  const n = await newIssue('ann', root)
  await newComment('ann', n, root)
  const look = async () => [
    await forge.countQueries(() => forge.call('ann', 'GET', root)),
    await forge.countQueries(() => forge.call('ann', 'GET', `${root}/${n}/comments`)),
  ]
  const few = await look()
  for (let i = 0; i < 5; i++) {
    const number = await newIssue('ann', root)
    await upload('ann', `${root}/${number}`)
    await upload('ann', `${root}/comments/${await newComment('ann', n, root)}`)
  }
  assert.deepEqual(await look(), few)
})

test('attachments are found by index among 100,000', async () => {
  await sql`alter table attachment drop constraint attachment_issue_id_fkey`.execute(forge.db)
  await sql`alter table attachment drop constraint attachment_comment_id_fkey`.execute(forge.db)
  await sql`alter table attachment drop constraint attachment_release_id_fkey`.execute(forge.db)
  for (const column of ['issue_id', 'comment_id', 'release_id'])
    await insertMany(
      forge.db,
      sql`insert into attachment (uuid, ${sql.ref(column)}, name, bytes, picture_type, created_at)
      select gen_random_uuid(), 1000000 + n / 10, 'a.txt', 0, '', now()
      from generate_series(1, 100000) as n`,
    )
  await sql`analyze attachment`.execute(forge.db)
  for (const kind of ['issue', 'comment', 'release'] as const) {
    const ids = Array.from({ length: 50 }, (_, i) => 1_000_000 + i)
    const query = selectAttachments(forge.db, kind, ids).selectAll().orderBy('id')
    await assertIndexed(forge.db, query, 'attachment')
  }
})
