/** Mirrors: pulled from elsewhere, and pushed elsewhere. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'mirrors-ann'
  for (const name of [ann, 'mirrors-writer', 'mirrors-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'source', auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'target' })
  await t.stage(ann, 'POST', '/repos/migrate', {
    clone_addr: `${t.base}/${ann}/source.git`,
    repo_name: 'copy',
    mirror: true,
  })
  for (const name of ['source', 'copy'])
    await t.stage(ann, 'PUT', `/repos/${ann}/${name}/collaborators/mirrors-writer`, { permission: 'write' })
  await t.call('nobody syncs', null, 'POST', `/repos/${ann}/copy/mirror-sync`)
  await t.call('a stranger syncs', 'mirrors-stranger', 'POST', `/repos/${ann}/copy/mirror-sync`)
  await t.call('a writer syncs', 'mirrors-writer', 'POST', `/repos/${ann}/copy/mirror-sync`)
  await t.until(ann, `/repos/${ann}/copy`, (answer) => answer.body.mirror_last_sync_at > '2000')
  await t.call('what is no mirror is synced', ann, 'POST', `/repos/${ann}/source/mirror-sync`)
  await t.call('a missing one is synced', ann, 'POST', `/repos/${ann}/missing/mirror-sync`)
  await t.call('the interval of a mirror', ann, 'PATCH', `/repos/${ann}/copy`, {
    body: { mirror_interval: '24h0m0s' },
  })
  await t.call('an interval that is none', ann, 'PATCH', `/repos/${ann}/copy`, {
    body: { mirror_interval: 'soon' },
  })
  await t.call('an interval that is too short', ann, 'PATCH', `/repos/${ann}/copy`, {
    body: { mirror_interval: '1s' },
  })
  await t.call('a mirror that never syncs by itself', ann, 'PATCH', `/repos/${ann}/copy`, {
    body: { mirror_interval: '0' },
  })
  await t.stage(ann, 'POST', `/repos/${ann}/source/branches`, { new_branch_name: 'next' })
  await t.stage(ann, 'POST', `/repos/${ann}/copy/mirror-sync`)
  await t.until(ann, `/repos/${ann}/copy/branches`, (answer) => answer.body.length === 2)
  await t.call('a sync brings new branches', null, 'GET', `/repos/${ann}/copy/branches`)

  const list = `/repos/${ann}/source/push_mirrors`
  const target = {
    remote_address: `${t.base}/${ann}/target.git`,
    remote_username: ann,
    remote_password: `pw-${ann}-1234`,
    interval: '8h0m0s',
  }
  const make = (step: string, as: string | null, body: unknown, extra = {}) =>
    t.call(step, as, 'POST', list, { body }, { ignore: ['remote_name'], ...extra })
  await t.call('no push mirrors', ann, 'GET', list)
  await t.call('nobody lists', null, 'GET', list, {}, { decision: 'D18', status: 401 })
  await t.call('a writer lists', 'mirrors-writer', 'GET', list)
  await make('a writer adds', 'mirrors-writer', target)
  await make('a push address of another kind', ann, { ...target, remote_address: 'ftp://127.0.0.1/x.git' })
  await make('a bad interval', ann, { ...target, interval: 'soon' })
  await make('a push interval that is too short', ann, { ...target, interval: '1s' })
  const added = await make('added', ann, { ...target, sync_on_commit: true })
  await t.call('one', ann, 'GET', `${list}/${added.body.remote_name}`, {}, { ignore: ['remote_name'] })
  await t.call('a missing one', ann, 'GET', `${list}/missing`)
  await t.call('all of them', ann, 'GET', list, {}, { ignore: ['remote_name'] })
  await t.call('all of them, past the end', ann, 'GET', `${list}?limit=1&page=5`)
  await t.call('all are pushed', ann, 'POST', `/repos/${ann}/source/push_mirrors-sync`)
  await t.until(ann, `/repos/${ann}/target`, (answer) => answer.body.empty === false)
  await t.until(ann, list, (answer) => answer.body[0].last_update > '2000')
  await t.call('after the push', ann, 'GET', list, {}, { ignore: ['remote_name'] })
  await t.call(
    'the target has the branches',
    null,
    'GET',
    `/repos/${ann}/target/branches`,
    {},
    { unordered: true },
  )
  await t.call('a writer deletes', 'mirrors-writer', 'DELETE', `${list}/${added.body.remote_name}`)
  await t.call('deleted', ann, 'DELETE', `${list}/${added.body.remote_name}`)
  await t.call('deleted twice', ann, 'DELETE', `${list}/${added.body.remote_name}`)
}
