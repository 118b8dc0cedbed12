/** Milestones of a repository. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, writer, reader, stranger] = [
    'milestones-owner',
    'milestones-writer',
    'milestones-reader',
    'milestones-stranger',
  ]
  for (const name of [owner, writer, reader, stranger]) await t.person(name)
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge' })
  await t.stage(owner, 'POST', '/user/repos', { name: 'vault', private: true })
  const repo = `/repos/${owner}/forge`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  const path = `${repo}/milestones`
  const call = (step: string, as: string | null, method: string, where: string, body?: unknown) =>
    t.call(step, as, method, where, body === undefined ? {} : { body })

  await call('no milestones', null, 'GET', path)
  await call('nobody may not create', null, 'POST', path, { title: 'x' })
  await call('a reader may not create', reader, 'POST', path, { title: 'x' })
  await call(
    'a stranger does not see the hidden repository',
    stranger,
    'POST',
    `/repos/${owner}/vault/milestones`,
    { title: 'x' },
  )
  const one = (await call('only a title', writer, 'POST', path, { title: 'one' })).body.id
  await call('all fields', writer, 'POST', path, {
    title: 'two',
    description: 'the second',
    due_on: '2031-05-06T10:00:00Z',
    state: 'open',
  })
  await call('closed at once', writer, 'POST', path, { title: 'three', state: 'closed' })
  await call('an unknown state means open', writer, 'POST', path, { title: 'four', state: 'done' })
  await call('the same title again', writer, 'POST', path, { title: 'one' })
  await call('a date that is none', writer, 'POST', path, { title: 'x', due_on: 'tomorrow' })
  await call('open milestones', null, 'GET', path)
  await call('closed milestones', null, 'GET', `${path}?state=closed`)
  await call('all milestones', null, 'GET', `${path}?state=all`)
  await call('milestones two to a page', null, 'GET', `${path}?state=all&limit=2&page=2`)
  await call('milestones by name', null, 'GET', `${path}?name=tw`)
  await call('one milestone', null, 'GET', `${path}/${one}`)
  await call('one milestone by title', null, 'GET', `${path}/two`)
  await call('no such milestone', null, 'GET', `${path}/987654`)
  const edit = (step: string, as: string | null, body: unknown, id: number | string = one) =>
    call(step, as, 'PATCH', `${path}/${id}`, body)
  await edit('nobody may not edit', null, { title: 'x' })
  await edit('a reader may not edit', reader, { title: 'x' })
  await edit('no such milestone to edit', writer, { title: 'x' }, 987654)
  await edit('an empty object', writer, {})
  await edit('all fields edited', writer, {
    title: 'uno',
    description: 'the first',
    due_on: '2031-06-07T00:00:00Z',
    state: 'closed',
  })
  await edit('an empty title changes nothing', writer, { title: '' })
  await edit('open again', writer, { state: 'open' })
  await t.stage(owner, 'POST', `${repo}/issues`, { title: 'work', milestone: one })
  await t.stage(owner, 'POST', `${repo}/issues`, { title: 'done', milestone: one, closed: true })
  await call('its issues are counted', null, 'GET', `${path}/${one}`)
  await call('nobody may not delete', null, 'DELETE', `${path}/${one}`)
  await call('a reader may not delete', reader, 'DELETE', `${path}/${one}`)
  await call('deleted', writer, 'DELETE', `${path}/${one}`)
  await call('deleted twice', writer, 'DELETE', `${path}/${one}`)
  await call('its issues have no milestone', null, 'GET', `${repo}/issues/1`)
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await call('an archived repository', owner, 'POST', path, { title: 'x' })
}
