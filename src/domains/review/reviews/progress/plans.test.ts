/** The queries behind each page of a pull request use indexes, however many rows other pull requests have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, insertMany, startForge } from '#testing'
import { pullFrom } from '#testing/slices/reviews'
import { selectLinesOf } from '../lines/store.ts'
import { selectViewed } from './progress.ts'

test('comments and viewed marks of one pull request are read by index among 100,000 rows of others', async () => {
  await using forge = await startForge({ config: { 'database.statement_timeout_ms': 300_000 } })
  const ann = await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'ore', auto_init: true, default_branch: 'main' })
  const number = await pullFrom(forge, 'ann', '/repos/ann/ore', 'topic')
  const { id: issueId, repository_id: repositoryId } = await forge.db
    .selectFrom('issue')
    .select(['id', 'repository_id'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  await insertMany(
    forge.db,
    sql`with made as (
      insert into issue (repository_id, number, is_pull, title, body, is_closed, ref, created_at, updated_at)
      select ${repositoryId}, i + 10, true, 'title', '', false, '', now(), now()
      from generate_series(1, 1000) as i returning id, number),
    pulled as (
      insert into pull_request (issue_id, repository_id, number, is_open, base_branch, head_repository_id, head_branch,
        flow, head_oid, version, merge_base, allows_maintainer_edit, mergeability, created_at)
      select id, ${repositoryId}, number, false, 'main', null, '', 'branch', '', 1, '', false, 'checking', now()
      from made),
    reviewed as (
      insert into review (issue_id, reviewer_id, kind, body, head_oid, version, is_official, created_at, updated_at)
      select id, ${ann.id}, 'comment', '', '', 1, false, now(), now() from made returning id, issue_id),
    said as (
      insert into issue_comment (issue_id, repository_id, kind, author_id, body, created_at, updated_at)
      select issue_id, ${repositoryId}, 'code', ${ann.id}, 'remark', now(), now()
      from reviewed, generate_series(1, 100) returning id, issue_id),
    seen as (
      insert into viewed_change (user_id, issue_id, change, viewed_at)
      select ${ann.id}, id, i::text, now() from made, generate_series(1, 100) as i)
    insert into review_comment (comment_id, review_id, issue_id, head_oid, version, line_oid, path, side, line,
      diff_hunk, current_head_oid, current_oid, current_path, current_line)
    select said.id, reviewed.id, said.issue_id, '', 1, '', 'a', 'new', 1, '', '', '', 'a', 1
    from said join reviewed on reviewed.issue_id = said.issue_id`,
  )
  await sql`analyze issue, issue_comment, review, review_comment, viewed_change`.execute(forge.db)
  for (const table of ['review_comment', 'issue_comment'])
    await assertIndexed(forge.db, selectLinesOf(forge.db, issueId, ann.id), table)
  await assertIndexed(forge.db, selectViewed(forge.db, ann.id, issueId), 'viewed_change')
  assert.deepEqual(await selectViewed(forge.db, ann.id, issueId).execute(), [])
})
