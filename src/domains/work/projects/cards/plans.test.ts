/** The cards of a column are read by index, however many there are and for every caller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { actorOf, findAccount } from '#domains/people/users'
import { assertIndexed, insertMany, startForge } from '#testing'
import { selectBoard, selectCards } from './store.ts'

test('a page of a column is read by index among 100,000 cards, for anonymous, user and administrator', async () => {
  await using forge = await startForge({ config: { 'database.statement_timeout_ms': 300_000 } })
  await forge.person('ann')
  await forge.person('root', { is_admin: true })
  const { body: repo } = await forge.call('ann', 'POST', '/user/repos', { name: 'one' })
  const { body: project } = await forge.call('ann', 'POST', '/user/projects', {
    title: 'board',
    template_type: 'basic_kanban',
  })
  const { body: columns } = await forge.call('ann', 'GET', `/user/projects/${project.id}/columns`)
  const ids = columns.map(({ id }: { id: number }) => id)
  await insertMany(
    forge.db,
    sql`with made as (
      insert into issue (repository_id, number, is_pull, title, body, is_closed, ref, created_at, updated_at)
      select ${repo.id}, i, false, 'title', '', false, '', now(), now()
      from generate_series(1, 100000) as i returning id)
    insert into project_card (issue_id, project_id, column_id, repository_id, is_pull, sorting)
    select id, ${project.id}, (${ids}::bigint[])[id % 4 + 1], ${repo.id}, false, id from made`,
  )
  await sql`analyze issue, project_card, repository`.execute(forge.db)
  for (const login of [null, 'ann', 'root']) {
    const account = login === null ? undefined : await findAccount(forge.db, login)
    const actor = account && actorOf(account, { publicOnly: false, via: 'token', tokenId: null })
    const page = selectCards({ ...forge.ctx, actor: actor ?? null }, ids[0]).limit(30)
    await assertIndexed(forge.db, page, 'project_card')
    assert.equal((await page.execute()).length, 30)
    const board = selectBoard({ ...forge.ctx, actor: actor ?? null }, project.id, 50)
    assert.deepEqual(
      (await board.execute()).map(({ issue_ids, total }) => [issue_ids.length, total]),
      ids.map(() => [50, 25_000]),
    )
  }
})
