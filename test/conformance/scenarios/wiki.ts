/** Pages of a repository's wiki. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'wiki-ann'
  for (const name of [ann, 'wiki-writer', 'wiki-reader', 'wiki-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'one' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'off' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true })
  await t.stage(ann, 'PATCH', `/repos/${ann}/off`, { has_wiki: false })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/wiki-writer`, { permission: 'write' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/wiki-reader`, { permission: 'read' })
  const at = `/repos/${ann}/one/wiki`
  const text = (value: string) => Buffer.from(value).toString('base64')
  const make = (step: string, as: string | null, body: unknown) =>
    t.call(step, as, 'POST', `${at}/new`, { body })
  await t.call('no pages', null, 'GET', `${at}/pages`)
  await make('a page', ann, { title: 'Home', content_base64: text('Welcome\n'), message: 'Start' })
  await make('a page with blanks in its title', 'wiki-writer', {
    title: 'How to do it',
    content_base64: text('Like this\n'),
  })
  await make('a page in a folder', ann, { title: 'guide/First steps', content_base64: text('Step\n') })
  await make('a page without title', ann, { content_base64: text('x') })
  await make('a page without content', ann, { title: 'Bare' })
  await make('a page with broken content', ann, { title: 'Broken', content_base64: '***' })
  await make('a taken title', ann, { title: 'Home', content_base64: text('x') })
  await make('a reserved title', ann, { title: '_pages', content_base64: text('x') })
  await make('nobody writes', null, { title: 'x', content_base64: text('x') })
  await make('a reader writes', 'wiki-reader', { title: 'x', content_base64: text('x') })
  await make('a stranger writes', 'wiki-stranger', { title: 'x', content_base64: text('x') })
  await t.call('all pages', null, 'GET', `${at}/pages`)
  await t.call('pages of a hidden repository', 'wiki-stranger', 'GET', `/repos/${ann}/closed/wiki/pages`)
  await t.call('pages where the wiki is off', ann, 'GET', `/repos/${ann}/off/wiki/pages`)
  await t.call('one page', null, 'GET', `${at}/page/Home`)
  await t.call('one page with blanks', null, 'GET', `${at}/page/How-to-do-it`)
  await t.call('one page in a folder', null, 'GET', `${at}/page/guide%2FFirst-steps`)
  await t.call('a missing page', null, 'GET', `${at}/page/Nothing`)
  await t.call('a page is changed', 'wiki-writer', 'PATCH', `${at}/page/Home`, {
    body: { title: 'Home', content_base64: text('Welcome back\n'), message: 'Better' },
  })
  await t.call('a page is renamed', ann, 'PATCH', `${at}/page/How-to-do-it`, {
    body: { title: 'Howto', content_base64: text('Like that\n') },
  })
  await t.call('the old title', null, 'GET', `${at}/page/How-to-do-it`)
  await t.call('a missing page is made by changing it', ann, 'PATCH', `${at}/page/Missing`, {
    body: { title: 'Missing', content_base64: text('x') },
  })
  await t.call('a reader changes', 'wiki-reader', 'PATCH', `${at}/page/Home`, {
    body: { title: 'Home', content_base64: text('x') },
  })
  await t.call('revisions', null, 'GET', `${at}/revisions/Home`)
  await t.call('revisions past the end', null, 'GET', `${at}/revisions/Home?page=9`)
  await t.call('revisions of a missing page', null, 'GET', `${at}/revisions/Nothing`)
  await t.call('a reader deletes', 'wiki-reader', 'DELETE', `${at}/page/Howto`)
  await t.call('deleted', ann, 'DELETE', `${at}/page/Howto`)
  await t.call('deleted twice', ann, 'DELETE', `${at}/page/Howto`)
  await t.stage(ann, 'PATCH', `/repos/${ann}/one`, { archived: true })
  await t.call('a page in an archived repository', ann, 'POST', `${at}/new`, {
    body: { title: 'Late', content_base64: text('x') },
  })
}
