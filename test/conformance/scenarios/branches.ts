/** Branches: list, create, read, rename, move, delete. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'branches-ann'
  for (const name of [ann, 'branches-writer', 'branches-reader', 'branches-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'empty' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'one', auto_init: true })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/branches-writer`, { permission: 'write' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/branches-reader`, { permission: 'read' })
  const list = `/repos/${ann}/one/branches`
  const first = await t.stage(ann, 'GET', `${list}/main`)
  await t.stage(ann, 'POST', `/repos/${ann}/one/tags`, { tag_name: 'v1' })
  await t.call('the only branch', null, 'GET', list)
  await t.call('branches of an empty repository', ann, 'GET', `/repos/${ann}/empty/branches`)
  await t.call('branches of a hidden repository', 'branches-stranger', 'GET', `/repos/${ann}/closed/branches`)

  const make = (step: string, as: string | null, body: unknown, extra = {}) =>
    t.call(step, as, 'POST', list, { body }, extra)
  await make('from the default branch', ann, { new_branch_name: 'next' })
  await make('from a branch by its old name', ann, { new_branch_name: 'feature/a', old_branch_name: 'next' })
  await make('from a commit', ann, { new_branch_name: 'at-commit', old_ref_name: first.body.commit.id })
  await make('from a tag', ann, { new_branch_name: 'at-tag', old_ref_name: 'v1' })
  await make('from a full ref', ann, { new_branch_name: 'at-ref', old_ref_name: 'refs/heads/next' })
  await make('by a writer', 'branches-writer', { new_branch_name: 'by-writer' })
  await make('nobody creates', null, { new_branch_name: 'x' })
  await make('a reader creates', 'branches-reader', { new_branch_name: 'x' })
  await make('a stranger creates', 'branches-stranger', { new_branch_name: 'x' })
  await make('no name', ann, {})
  await make('a bad name', ann, { new_branch_name: 'a..b' })
  await make('a taken name', ann, { new_branch_name: 'next' })
  await make('the name of a tag', ann, { new_branch_name: 'v1' })
  await make('a name below a taken one', ann, { new_branch_name: 'next/more' })
  await make('from a missing branch', ann, { new_branch_name: 'x', old_branch_name: 'missing' })
  await make(
    'from a missing ref',
    ann,
    { new_branch_name: 'x', old_ref_name: 'missing' },
    { decision: 'D13', status: 404 },
  )
  await t.call('in an empty repository', ann, 'POST', `/repos/${ann}/empty/branches`, {
    body: { new_branch_name: 'x' },
  })
  await t.call('all branches', null, 'GET', list, {}, { unordered: true })
  await t.call('two to a page', null, 'GET', `${list}?limit=2`)
  await t.call('two to a page, second', null, 'GET', `${list}?limit=2&page=2`)
  await t.call('a page past the end', null, 'GET', `${list}?limit=2&page=9`)
  await t.call('one branch', null, 'GET', `${list}/next`)
  await t.call('one branch with a slash', null, 'GET', `${list}/feature/a`)
  await t.call('one branch with an escaped slash', null, 'GET', `${list}/feature%2Fa`)
  await t.call('one branch, seen by a writer', 'branches-writer', 'GET', `${list}/main`)
  await t.call('a missing branch', null, 'GET', `${list}/missing`)

  await t.call('renamed', ann, 'PATCH', `${list}/next`, { body: { name: 'later' } })
  await t.call('renamed: the new name', null, 'GET', `${list}/later`)
  await t.call('renamed: the old name', null, 'GET', `${list}/next`)
  await t.call('renamed to a taken name', ann, 'PATCH', `${list}/later`, { body: { name: 'main' } })
  await t.call('a missing one renamed', ann, 'PATCH', `${list}/missing`, { body: { name: 'x' } })
  await t.call('renamed to the same name', ann, 'PATCH', `${list}/later`, { body: { name: 'later' } })
  await t.call('renamed without a name', ann, 'PATCH', `${list}/later`, { body: {} })
  await t.call('a reader renames', 'branches-reader', 'PATCH', `${list}/later`, { body: { name: 'x' } })
  await t.call('a writer renames the default branch', 'branches-writer', 'PATCH', `${list}/main`, {
    body: { name: 'x' },
  })
  await t.stage(ann, 'POST', `/repos/${ann}/one/contents/new.txt`, {
    branch: 'later',
    content: 'bmV3',
    message: 'New',
  })
  const later = await t.stage(ann, 'GET', `${list}/later`)
  await t.call('moved forward to a commit', ann, 'PUT', `${list}/at-tag`, {
    body: { new_commit_id: later.body.commit.id },
  })
  await t.call('moved with a wrong old commit', ann, 'PUT', `${list}/at-tag`, {
    body: { new_commit_id: first.body.commit.id, old_commit_id: first.body.commit.id, force: true },
  })
  await t.call('moved back without force', ann, 'PUT', `${list}/at-tag`, {
    body: { new_commit_id: first.body.commit.id },
  })
  await t.call('moved back by force', ann, 'PUT', `${list}/at-tag`, {
    body: { new_commit_id: first.body.commit.id, old_commit_id: later.body.commit.id, force: true },
  })
  await t.call(
    'moved to a missing commit',
    ann,
    'PUT',
    `${list}/at-tag`,
    { body: { new_commit_id: 'a'.repeat(40) } },
    { decision: 'D13', status: 404 },
  )
  await t.call('a missing branch is moved', ann, 'PUT', `${list}/missing`, {
    body: { new_commit_id: first.body.commit.id },
  })
  await t.call('moved without a commit', ann, 'PUT', `${list}/at-tag`, { body: {} })

  await t.call('nobody deletes', null, 'DELETE', `${list}/later`)
  await t.call('a reader deletes', 'branches-reader', 'DELETE', `${list}/later`)
  await t.call('deleted by a writer', 'branches-writer', 'DELETE', `${list}/by-writer`)
  await t.call('deleted, with a slash', ann, 'DELETE', `${list}/feature/a`)
  await t.call('deleted twice', ann, 'DELETE', `${list}/feature/a`)
  await t.call('the default branch is deleted', ann, 'DELETE', `${list}/main`)
  await t.call('created again after deletion', ann, 'POST', list, { body: { new_branch_name: 'by-writer' } })
  await t.stage(ann, 'PATCH', `/repos/${ann}/one`, { archived: true })
  await t.call('created in an archived repository', ann, 'POST', list, { body: { new_branch_name: 'late' } })
  await t.call('deleted in an archived repository', ann, 'DELETE', `${list}/later`)
}
