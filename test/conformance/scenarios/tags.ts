/** Tags and tag protections. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'tags-ann'
  for (const name of [ann, 'tags-writer', 'tags-reader']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'empty' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'one', auto_init: true })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/tags-writer`, { permission: 'write' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/tags-reader`, { permission: 'read' })
  const repo = `/repos/${ann}/one`
  const list = `${repo}/tags`
  const head = await t.stage(ann, 'GET', `${repo}/branches/main`)
  const make = (step: string, as: string | null, body: unknown, extra = {}) =>
    t.call(step, as, 'POST', list, { body }, extra)
  await t.call('no tags', null, 'GET', list)
  await t.call('tags of an empty repository', ann, 'GET', `/repos/${ann}/empty/tags`)
  await make('a plain tag', ann, { tag_name: 'v1' })
  await make('a tag with a message', ann, {
    tag_name: 'v2',
    message: 'Second\n\nWith a body',
    target: 'main',
  })
  await make('a tag at a commit', ann, { tag_name: 'v3', target: head.body.commit.id })
  await make('a tag by a writer', 'tags-writer', { tag_name: 'rel/4' })
  await make('nobody creates', null, { tag_name: 'x' })
  await make('a reader creates', 'tags-reader', { tag_name: 'x' })
  await make('a taken name', ann, { tag_name: 'v1' })
  await make('no name', ann, {})
  await make('a bad name', ann, { tag_name: 'a..b' }, { decision: 'D13', status: 422 })
  await make('a missing target', ann, { tag_name: 'x', target: 'missing' })
  await t.call('in an empty repository', ann, 'POST', `/repos/${ann}/empty/tags`, { body: { tag_name: 'x' } })
  await t.call('all tags', null, 'GET', list, {}, { unordered: true })
  await t.call('tags, a page past the end', null, 'GET', `${list}?limit=2&page=9`)
  await t.call('one plain tag', null, 'GET', `${list}/v1`)
  await t.call('one tag with a message', null, 'GET', `${list}/v2`)
  await t.call('one tag with a slash', null, 'GET', `${list}/rel/4`)
  await t.call('a missing tag', null, 'GET', `${list}/missing`)
  const annotated = await t.stage(ann, 'GET', `${repo}/git/refs/tags/v2`)
  await t.call(
    'the tag object',
    null,
    'GET',
    `${repo}/git/tags/${annotated.body[0].object.sha}`,
    {},
    { decision: 'D31', ignore: ['tagger.name', 'tagger.email'] },
  )
  await t.call('a commit is no tag object', null, 'GET', `${repo}/git/tags/${head.body.commit.id}`)
  await t.call('a missing tag object', null, 'GET', `${repo}/git/tags/${'a'.repeat(40)}`)
  await t.call('the refs of the tags', null, 'GET', `${repo}/git/refs/tags`)
  await t.call('nobody deletes', null, 'DELETE', `${list}/v1`)
  await t.call('a reader deletes', 'tags-reader', 'DELETE', `${list}/v1`)
  await t.call('deleted', ann, 'DELETE', `${list}/v1`)
  await t.call('deleted twice', ann, 'DELETE', `${list}/v1`)
  await t.stage(ann, 'POST', `${repo}/releases`, { tag_name: 'v3', name: 'Third' })
  await t.call('the tag of a release is deleted', ann, 'DELETE', `${list}/v3`)

  const guards = `${repo}/tag_protections`
  await t.call('no tag protections', ann, 'GET', guards)
  await t.call('a writer lists tag protections', 'tags-writer', 'GET', guards)
  await t.call('nobody lists tag protections', null, 'GET', guards)
  const guard = await t.call('a pattern is protected', ann, 'POST', guards, {
    body: { name_pattern: 'safe-*', whitelist_usernames: ['tags-writer'] },
  })
  await t.call('the same pattern', ann, 'POST', guards, {
    body: { name_pattern: 'safe-*', whitelist_usernames: [ann] },
  })
  await t.call('nobody on the list', ann, 'POST', guards, { body: { name_pattern: 'none-*' } })
  await t.call('no pattern', ann, 'POST', guards, { body: { whitelist_usernames: [ann] } })
  await t.call(
    'an unknown user',
    ann,
    'POST',
    guards,
    { body: { name_pattern: 'other-*', whitelist_usernames: ['tags-missing'] } },
    { statusOnly: true },
  )
  await t.call('a writer protects', 'tags-writer', 'POST', guards, { body: { name_pattern: 'x-*' } })
  await t.call('a protected tag by one on the list', 'tags-writer', 'POST', list, {
    body: { tag_name: 'safe-1' },
  })
  await t.call('a protected tag by one not on the list', ann, 'POST', list, { body: { tag_name: 'safe-2' } })
  await t.call('a protected tag is deleted by one not on the list', ann, 'DELETE', `${list}/safe-1`)
  await t.call('one tag protection', ann, 'GET', `${guards}/${guard.body.id}`)
  await t.call('a missing tag protection', ann, 'GET', `${guards}/999999`)
  await t.call('changed', ann, 'PATCH', `${guards}/${guard.body.id}`, {
    body: { name_pattern: '/^safe-/', whitelist_usernames: [] },
  })
  await t.call('a protection is deleted', ann, 'DELETE', `${guards}/${guard.body.id}`)
  await t.call('a protection is deleted twice', ann, 'DELETE', `${guards}/${guard.body.id}`)
  await t.stage(ann, 'PATCH', repo, { archived: true })
  await t.call('a tag in an archived repository', ann, 'POST', list, { body: { tag_name: 'late' } })
}
