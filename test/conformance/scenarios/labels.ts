/** Labels of repositories and organizations, and labels on issues. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, writer, author, stranger] = [
    'labels-owner',
    'labels-writer',
    'labels-author',
    'labels-stranger',
  ]
  for (const name of [owner, writer, author, stranger]) await t.person(name)
  await t.stage(owner, 'POST', '/orgs', { username: 'labels-org' })
  await t.stage(owner, 'POST', '/orgs/labels-org/repos', { name: 'forge' })
  await t.stage(owner, 'POST', '/orgs/labels-org/repos', { name: 'vault', private: true })
  const repo = '/repos/labels-org/forge'
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, body === undefined ? {} : { body }, expectation)

  for (const [where, path] of [
    ['repository', `${repo}/labels`],
    ['organization', '/orgs/labels-org/labels'],
  ] as const) {
    const as = where === 'repository' ? writer : owner
    const say = (text: string) => `${where}: ${text}`
    await call(say('no labels'), null, 'GET', path)
    await call(say('nobody may not create'), null, 'POST', path, { name: 'x', color: '#ff0000' })
    await call(say('a stranger may not create'), stranger, 'POST', path, { name: 'x', color: '#ff0000' })
    await call(say('no name'), as, 'POST', path, { color: '#ff0000' })
    await call(say('no colour'), as, 'POST', path, { name: 'x' })
    await call(say('a colour that is a word'), as, 'POST', path, { name: 'x', color: 'red' })
    const red = (await call(say('created'), as, 'POST', path, { name: `${where} red`, color: '#ff0000' }))
      .body.id
    await call(say('all fields'), as, 'POST', path, {
      name: `${where}/blue`,
      color: '00f',
      description: 'the sky',
      exclusive: true,
      ...(where === 'repository' ? { is_archived: true } : {}),
    })
    await call(say('the same name again'), as, 'POST', path, { name: `${where} red`, color: '#00ff00' })
    await call(say('labels'), null, 'GET', path)
    await call(say('labels one to a page'), null, 'GET', `${path}?limit=1&page=2`)
    await call(say('one label'), null, 'GET', `${path}/${red}`)
    await call(say('no such label'), null, 'GET', `${path}/987654`)
    await call(say('a stranger may not edit'), stranger, 'PATCH', `${path}/${red}`, { name: 'x' })
    await call(say('an empty object'), as, 'PATCH', `${path}/${red}`, {})
    await call(say('all fields edited'), as, 'PATCH', `${path}/${red}`, {
      name: `${where} green`,
      color: '#00ff00',
      description: 'the grass',
      exclusive: false,
      is_archived: true,
    })
    await call(say('a bad colour'), as, 'PATCH', `${path}/${red}`, { color: 'green' })
    await call(say('no such label to edit'), as, 'PATCH', `${path}/987654`, { name: 'x' })
    await call(say('a stranger may not delete'), stranger, 'DELETE', `${path}/${red}`)
    await call(say('deleted'), as, 'DELETE', `${path}/${red}`)
    await call(say('deleted twice'), as, 'DELETE', `${path}/${red}`)
  }
  await call(
    'labels of a hidden repository for a stranger',
    stranger,
    'GET',
    '/repos/labels-org/vault/labels',
  )

  const make = async (path: string, name: string, exclusive = false): Promise<number> =>
    (await t.stage(owner, 'POST', path, { name, color: '#123456', exclusive })).body.id
  const own = await make(`${repo}/labels`, 'own')
  const ofOrg = await make('/orgs/labels-org/labels', 'shared')
  const high = await make(`${repo}/labels`, 'size/high', true)
  const low = await make(`${repo}/labels`, 'size/low', true)
  const far = await make('/repos/labels-org/vault/labels', 'far')
  const n = (await t.stage(author, 'POST', `${repo}/issues`, { title: 'work' })).body.number
  const at = `${repo}/issues/${n}/labels`
  await call('no labels on the issue', null, 'GET', at)
  await call('nobody may not label', null, 'POST', at, { labels: [own] })
  await call('the author may not label', author, 'POST', at, { labels: [own] })
  await call('labels by id', writer, 'POST', at, { labels: [own, ofOrg] })
  await call('labels by name', writer, 'POST', at, { labels: ['size/high'] })
  await call('ids and names together', writer, 'POST', at, { labels: [own, 'shared'] })
  await call('an exclusive label drives out the other', writer, 'POST', at, { labels: [low] })
  await call('the same label again', writer, 'POST', at, { labels: [low] })
  await call('an unknown label', writer, 'POST', at, { labels: [987654] })
  await call('an unknown name', writer, 'POST', at, { labels: ['none'] })
  await call('a label of another repository', writer, 'POST', at, { labels: [far] })
  await call('no labels given', writer, 'POST', at, {})
  await call('labels replaced', writer, 'PUT', at, { labels: [high] })
  await call('the author may not replace', author, 'PUT', at, { labels: [own] })
  await call('labels of the issue', null, 'GET', at)
  await call('one label is taken off', writer, 'DELETE', `${at}/${high}`)
  await call('one label is taken off twice', writer, 'DELETE', `${at}/${high}`)
  await call('an unknown label is taken off', writer, 'DELETE', `${at}/987654`)
  await call('replaced by two', writer, 'PUT', at, { labels: [own, ofOrg] })
  await call('the author may not clear', author, 'DELETE', at)
  await call('all labels are taken off', writer, 'DELETE', at)
  await call('replaced by none', writer, 'PUT', at, { labels: [] })
  await call('labels in the timeline', null, 'GET', `${repo}/issues/${n}/timeline`)
  await call('labels of a missing issue', null, 'GET', `${repo}/issues/9999/labels`)
  await call('label a missing issue', writer, 'POST', `${repo}/issues/9999/labels`, { labels: [own] })
}
