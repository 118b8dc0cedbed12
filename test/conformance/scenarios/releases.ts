/** Releases and their files. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'releases-ann'
  for (const name of [ann, 'releases-writer', 'releases-reader', 'releases-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'empty' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'one', auto_init: true })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/releases-writer`, { permission: 'write' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/releases-reader`, { permission: 'read' })
  const repo = `/repos/${ann}/one`
  const list = `${repo}/releases`
  const make = (step: string, as: string | null, body: unknown, extra = {}) =>
    t.call(step, as, 'POST', list, { body }, extra)
  await t.stage(ann, 'POST', `${repo}/tags`, { tag_name: 'v0' })
  await t.call('none yet', null, 'GET', list)
  await t.call('no latest one', null, 'GET', `${list}/latest`)
  const first = await make('the smallest', ann, { tag_name: 'v1' })
  const full = await make('with everything', ann, {
    tag_name: 'v2',
    target_commitish: 'main',
    name: 'Second',
    body: 'Notes',
    draft: false,
    prerelease: false,
  })
  const draft = await make(
    'a draft',
    ann,
    { tag_name: 'v3', name: 'Draft', draft: true },
    { ignore: ['assets'] },
  )
  const early = await make('a prerelease by a writer', 'releases-writer', {
    tag_name: 'v4-rc',
    name: 'Early',
    prerelease: true,
  })
  await make('for a tag that is there', ann, { tag_name: 'v0', name: 'Old tag' })
  await make('for a tag that has one', ann, { tag_name: 'v1' })
  await make('no tag', ann, { name: 'x' })
  await make('a bad tag name', ann, { tag_name: 'a..b' }, { decision: 'D13', status: 422 })
  await make('a missing target', ann, { tag_name: 'v9', target_commitish: 'missing' })
  await make('nobody creates', null, { tag_name: 'v9' })
  await make('a reader creates', 'releases-reader', { tag_name: 'v9' })
  await make('a stranger creates', 'releases-stranger', { tag_name: 'v9' })
  await t.call('in an empty repository', ann, 'POST', `/repos/${ann}/empty/releases`, {
    body: { tag_name: 'v1' },
  })
  await t.call('all of them, seen by a writer', 'releases-writer', 'GET', list, {}, { unordered: true })
  await t.call('all of them, seen by nobody', null, 'GET', list, {}, { unordered: true })
  await t.call('only drafts', ann, 'GET', `${list}?draft=true`)
  await t.call('only drafts, seen by nobody', null, 'GET', `${list}?draft=true`)
  await t.call('only prereleases', null, 'GET', `${list}?pre-release=true`)
  await t.call('no prereleases', null, 'GET', `${list}?pre-release=false`, {}, { unordered: true })
  await t.call('a page past the end', null, 'GET', `${list}?limit=2&page=9`)
  await t.call('of a hidden repository', 'releases-stranger', 'GET', `/repos/${ann}/closed/releases`)
  await t.call('one', null, 'GET', `${list}/${full.body.id}`)
  await t.call('a draft, seen by a writer', 'releases-writer', 'GET', `${list}/${draft.body.id}`)
  await t.call('a draft, seen by nobody', null, 'GET', `${list}/${draft.body.id}`)
  await t.call('a missing one', null, 'GET', `${list}/999999`)
  await t.call('by its tag', null, 'GET', `${list}/tags/v2`)
  await t.call('by a missing tag', null, 'GET', `${list}/tags/missing`)
  await t.call('edited', ann, 'PATCH', `${list}/${full.body.id}`, {
    body: { name: 'Second, better', body: 'More notes', prerelease: true },
  })
  await t.call('edited: nothing', ann, 'PATCH', `${list}/${full.body.id}`, { body: {} })
  await t.call('a draft is published', ann, 'PATCH', `${list}/${draft.body.id}`, { body: { draft: false } })
  await t.call('a reader edits', 'releases-reader', 'PATCH', `${list}/${full.body.id}`, {
    body: { name: 'x' },
  })
  await t.call('a missing one is edited', ann, 'PATCH', `${list}/999999`, { body: { name: 'x' } })
  await t.call('the tag of a draft exists now', null, 'GET', `${repo}/tags/v3`)

  await t.stage(ann, 'POST', '/user/repos', { name: 'single', auto_init: true })
  await t.stage(ann, 'POST', `/repos/${ann}/single/releases`, {
    tag_name: 'v1',
    name: 'Only one',
    body: 'Notes',
  })
  await t.stage(ann, 'POST', `/repos/${ann}/single/releases`, { tag_name: 'v2', name: 'Draft', draft: true })
  await t.call('the latest one is no draft', null, 'GET', `/repos/${ann}/single/releases/latest`)

  const files = `${list}/${first.body.id}/assets`
  const form = (name: string, data: string) => {
    const value = new FormData()
    value.append('attachment', new Blob([data]), name)
    return { raw: { type: 'multipart/form-data', data: value } }
  }
  await t.call('no files', null, 'GET', files)
  const file = await t.call(
    'a file by form',
    ann,
    'POST',
    `${files}?name=renamed.txt`,
    form('original.txt', 'content'),
  )
  await t.call('a file as it is', ann, 'POST', `${files}?name=raw.txt`, {
    raw: { type: 'application/octet-stream', data: 'raw content' },
  })
  await t.call('a file without a name', ann, 'POST', files, {
    raw: { type: 'application/octet-stream', data: 'x' },
  })
  await t.call('a file with the name of its form', ann, 'POST', files, form('own-name.txt', 'content'))
  await t.call('a file by a reader', 'releases-reader', 'POST', `${files}?name=x.txt`, form('x.txt', 'x'))
  await t.call('a file by nobody', null, 'POST', `${files}?name=x.txt`, form('x.txt', 'x'))
  await t.call(
    'a file for a missing release',
    ann,
    'POST',
    `${list}/999999/assets?name=x.txt`,
    form('x.txt', 'x'),
  )
  await t.call('all files', null, 'GET', files, {}, { unordered: true })
  await t.call('one file', null, 'GET', `${files}/${file.body.id}`)
  await t.call('one file of another release', null, 'GET', `${list}/${early.body.id}/assets/${file.body.id}`)
  await t.call('a missing file', null, 'GET', `${files}/999999`)
  await t.call('a file is renamed', ann, 'PATCH', `${files}/${file.body.id}`, { body: { name: 'again.txt' } })
  await t.call('a file is renamed by a reader', 'releases-reader', 'PATCH', `${files}/${file.body.id}`, {
    body: { name: 'x.txt' },
  })
  await t.call('the release with its files', null, 'GET', `${list}/${first.body.id}`, {}, { unordered: true })
  await t.call('a file is deleted', ann, 'DELETE', `${files}/${file.body.id}`)
  await t.call('a file is deleted twice', ann, 'DELETE', `${files}/${file.body.id}`)
  await t.call('deleted by a reader', 'releases-reader', 'DELETE', `${list}/${early.body.id}`)
  await t.call('deleted', ann, 'DELETE', `${list}/${early.body.id}`)
  await t.call('deleted twice', ann, 'DELETE', `${list}/${early.body.id}`)
  await t.call('the tag of a deleted release stays', null, 'GET', `${repo}/tags/v4-rc`)
  await t.call('deleted by its tag', ann, 'DELETE', `${list}/tags/v2`)
  await t.call('deleted by a tag without release', ann, 'DELETE', `${list}/tags/v4-rc`)
  await t.call('deleted by a missing tag', ann, 'DELETE', `${list}/tags/missing`)
  await t.stage(ann, 'PATCH', repo, { archived: true })
  await t.call(
    'in an archived repository',
    ann,
    'POST',
    list,
    { body: { tag_name: 'late' } },
    { decision: 'D3', status: 423 },
  )
}
