/** Labels of an organization. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  for (const name of ['olabels-ann', 'olabels-eve']) await t.person(name)
  await t.stage('olabels-ann', 'POST', '/orgs', { username: 'olabels-org' })
  const root = '/orgs/olabels-org/labels'
  const make = (step: string, body: unknown, as: string | null = 'olabels-ann', path = root) =>
    t.call(`make: ${step}`, as, 'POST', path, { body })
  await t.call('none yet', 'olabels-ann', 'GET', root)
  await make('nobody', { name: 'x', color: '#aabbcc' }, null)
  await make('stranger', { name: 'x', color: '#aabbcc' }, 'olabels-eve')
  await make(
    'unknown organization',
    { name: 'x', color: '#aabbcc' },
    'olabels-ann',
    '/orgs/olabels-none/labels',
  )
  await make('no name', { color: '#aabbcc' })
  await make('no color', { name: 'x' })
  await make('a color that is none', { name: 'x', color: 'reddish' })
  const bug = await make('the smallest', { name: 'bug', color: '#ee0701' })
  await make('a color without its sign', { name: 'plain', color: '00aabb' })
  await make('a short color', { name: 'short', color: '#abc' })
  const full = await make('every field', {
    name: 'kind/feature',
    color: '#00AABB',
    description: 'Something new',
    exclusive: true,
    is_archived: true,
  })
  await make('exclusive without a slash', { name: 'alone', color: '#00aabb', exclusive: true })
  await make('the same name again is taken', { name: 'bug', color: '#ee0701' })
  const list = (step: string, query: string, as: string | null = 'olabels-ann') =>
    t.call(`list: ${step}`, as, 'GET', `${root}${query}`)
  await list('all', '')
  await list('stranger', '', 'olabels-eve')
  await list('nobody', '', null)
  await list('page 1', '?limit=2')
  await list('page 2', '?limit=2&page=2')
  await list('sorted backwards', '?sort=reversealphabetically')
  await list('by oldest', '?sort=oldest')
  const one = `${root}/${bug.body.id}`
  await t.call('one', 'olabels-eve', 'GET', one)
  await t.call('one by name', 'olabels-eve', 'GET', `${root}/bug`)
  await t.call('a missing one', 'olabels-ann', 'GET', `${root}/99999999`)
  const edit = (step: string, body: unknown, as: string | null = 'olabels-ann', path = one) =>
    t.call(`edit: ${step}`, as, 'PATCH', path, { body })
  await edit('nobody', { name: 'x' }, null)
  await edit('stranger', { name: 'x' }, 'olabels-eve')
  await edit('missing', { name: 'x' }, 'olabels-ann', `${root}/99999999`)
  await edit('name', { name: 'defect' })
  await edit('color and description', { color: '#123456', description: 'Broken' })
  await edit('archived', { is_archived: true })
  await edit('not archived', { is_archived: false })
  await edit('a color that is none', { color: 'reddish' })
  await edit('not exclusive', { exclusive: false }, 'olabels-ann', `${root}/${full.body.id}`)
  await t.stage('olabels-ann', 'POST', '/orgs/olabels-org/repos', { name: 'anvil' })
  await t.call('used in a repository', 'olabels-ann', 'POST', '/repos/olabels-org/anvil/issues', {
    body: { title: 'one', labels: [bug.body.id] },
  })
  await t.call('delete: nobody', null, 'DELETE', one)
  await t.call('delete: stranger', 'olabels-eve', 'DELETE', one)
  await t.call('delete: owner', 'olabels-ann', 'DELETE', one)
  await t.call('delete: twice is no mistake', 'olabels-ann', 'DELETE', one)
  await t.call('gone from the issue', 'olabels-ann', 'GET', '/repos/olabels-org/anvil/issues/1/labels')
}
