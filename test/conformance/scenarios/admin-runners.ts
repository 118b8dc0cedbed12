/** Runners of the whole instance, of a user, of an organization and of a repository. */
import type { Stage } from '../stage.ts'

/** Other scenarios may have their own runners. */
const others = { ignore: ['total_count'] }

export async function play(t: Stage): Promise<void> {
  await t.person('admin-runners-ann')
  await t.person('admin-runners-bob')
  await t.stage('admin-runners-ann', 'POST', '/orgs', { username: 'admin-runners-org' })
  await t.stage('admin-runners-ann', 'POST', '/user/repos', { name: 'hearth' })
  const scopes: [string, string, string][] = [
    ['admin', 'admin', '/admin'],
    ['user', 'admin-runners-ann', '/user'],
    ['org', 'admin-runners-ann', '/orgs/admin-runners-org'],
    ['repo', 'admin-runners-ann', '/repos/admin-runners-ann/hearth'],
  ]
  /** Registers a runner as a runner program does. */
  const register = async (token: string, name: string, labels: string[], extra: object = {}) =>
    (
      await t.stage(null, 'POST', '//api/actions/runner.v1.RunnerService/Register', {
        token,
        name,
        version: 'v1.0.0',
        labels,
        ...extra,
      })
    ).body.runner as { id: string; uuid: string; token: string }
  const tokenOf = async (as: string, root: string) =>
    (await t.stage(as, 'POST', `${root}/actions/runners/registration-token`)).body.token as string

  const volatile = { ignore: ['token'] }
  await t.call('nobody gets no registration token', null, 'POST', '/admin/actions/runners/registration-token')
  await t.call(
    'a plain user gets no registration token',
    'admin-runners-bob',
    'POST',
    '/admin/actions/runners/registration-token',
  )
  await t.call(
    'a registration token',
    'admin',
    'POST',
    '/admin/actions/runners/registration-token',
    {},
    volatile,
  )
  const first = await tokenOf('admin', '/admin')
  if ((await tokenOf('admin', '/admin')) !== first)
    throw new Error('the registration token changed between two calls')
  if (!/^[A-Za-z0-9]{40}$/.test(first)) throw new Error('the registration token is not 40 letters and digits')
  await t.call(
    'a registration token of a user',
    'admin-runners-ann',
    'POST',
    '/user/actions/runners/registration-token',
    {},
    volatile,
  )
  await t.call(
    'a registration token of an organization',
    'admin-runners-ann',
    'POST',
    '/orgs/admin-runners-org/actions/runners/registration-token',
    {},
    volatile,
  )
  await t.call(
    'a stranger gets no token of an organization',
    'admin-runners-bob',
    'POST',
    '/orgs/admin-runners-org/actions/runners/registration-token',
  )
  await t.call(
    'a registration token of a repository',
    'admin-runners-ann',
    'POST',
    '/repos/admin-runners-ann/hearth/actions/runners/registration-token',
    {},
    volatile,
  )
  await t.call(
    'a stranger gets no token of a repository',
    'admin-runners-bob',
    'POST',
    '/repos/admin-runners-ann/hearth/actions/runners/registration-token',
  )
  await t.call(
    'nobody gets no token of a repository',
    null,
    'POST',
    '/repos/admin-runners-ann/hearth/actions/runners/registration-token',
  )
  await t.call(
    'a token is not read with GET',
    'admin',
    'GET',
    '/admin/actions/runners/registration-token',
    {},
    { statusOnly: true },
  )

  const ids: Record<string, number> = {}
  for (const [kind, as, root] of scopes) {
    const token = await tokenOf(as, root)
    ids[kind] = Number((await register(token, `admin-runners-${kind}-1`, ['ubuntu-latest', 'arm64'])).id)
    await register(token, `admin-runners-${kind}-2`, [], { ephemeral: true })
  }

  await t.call('nobody may not list runners', null, 'GET', '/admin/actions/runners')
  await t.call('a plain user may not list all runners', 'admin-runners-bob', 'GET', '/admin/actions/runners')
  await t.call('all runners', 'admin', 'GET', '/admin/actions/runners', {}, { statusOnly: true })
  await t.call('past the last page', 'admin', 'GET', '/admin/actions/runners?limit=2&page=900', {}, others)
  for (const [kind, as, root] of scopes.slice(1)) {
    const list = `${root}/actions/runners`
    const one = `${list}/${ids[kind]}`
    await t.call(`${kind}: runners`, as, 'GET', list)
    await t.call(`${kind}: first page`, as, 'GET', `${list}?limit=1`)
    await t.call(`${kind}: second page`, as, 'GET', `${list}?limit=1&page=2`)
    await t.call(`${kind}: one runner`, as, 'GET', one)
    await t.call(`${kind}: a runner of the instance is not theirs`, as, 'GET', `${list}/${ids.admin}`)
    await t.call(`${kind}: a runner of the instance may not be edited`, as, 'PATCH', `${list}/${ids.admin}`, {
      body: { disabled: true },
    })
    await t.call(`${kind}: a runner of the instance may not be deleted`, as, 'DELETE', `${list}/${ids.admin}`)
    await t.call(`${kind}: nobody may not list runners`, null, 'GET', list)
    await t.call(`${kind}: a stranger does not reach the runner`, 'admin-runners-bob', 'GET', one)
    await t.call(`${kind}: disabled`, as, 'PATCH', one, { body: { disabled: true } })
    await t.call(`${kind}: disabled ones only`, as, 'GET', `${list}?disabled=true`)
    await t.call(`${kind}: enabled ones only`, as, 'GET', `${list}?disabled=false`)
    await t.call(
      `${kind}: a filter that is no truth value means enabled ones`,
      as,
      'GET',
      `${list}?disabled=perhaps`,
    )
    await t.call(
      `${kind}: the administrator reads it, too`,
      'admin',
      'GET',
      `/admin/actions/runners/${ids[kind]}`,
    )
    await t.call(`${kind}: deleted`, as, 'DELETE', one)
    await t.call(`${kind}: deleted twice`, as, 'DELETE', one)
  }

  const one = `/admin/actions/runners/${ids.admin}`
  await t.call('nobody may not read a runner', null, 'GET', one)
  await t.call('a plain user may not read a runner', 'admin-runners-bob', 'GET', one)
  await t.call('one runner', 'admin', 'GET', one)
  await t.call('a runner that does not exist', 'admin', 'GET', '/admin/actions/runners/99999999')
  await t.call('a runner id that is no number', 'admin', 'GET', '/admin/actions/runners/nonsense')
  await t.call('nobody may not edit a runner', null, 'PATCH', one, { body: { disabled: true } })
  await t.call('a plain user may not edit a runner', 'admin-runners-bob', 'PATCH', one, {
    body: { disabled: true },
  })
  await t.call('an edit without the field', 'admin', 'PATCH', one, { body: {} })
  await t.call('an edit with null', 'admin', 'PATCH', one, { body: { disabled: null } })
  await t.call('an edit with a text', 'admin', 'PATCH', one, { body: { disabled: 'yes' } })
  await t.call('broken JSON', 'admin', 'PATCH', one, { raw: { type: 'application/json', data: '{' } })
  await t.call('an empty edit of a missing runner', 'admin', 'PATCH', '/admin/actions/runners/99999999', {
    body: {},
  })
  await t.call('disabled', 'admin', 'PATCH', one, { body: { disabled: true } })
  await t.call('disabled again', 'admin', 'PATCH', one, { body: { disabled: true } })
  await t.call('disabled ones only', 'admin', 'GET', '/admin/actions/runners?disabled=1')
  await t.call('enabled again', 'admin', 'PATCH', one, { body: { disabled: false } })
  await t.call('no disabled one is left', 'admin', 'GET', '/admin/actions/runners?disabled=true')
  await t.call('nobody may not delete a runner', null, 'DELETE', one)
  await t.call('a plain user may not delete a runner', 'admin-runners-bob', 'DELETE', one)
  await t.call('deleted', 'admin', 'DELETE', one)
  await t.call('deleted twice', 'admin', 'DELETE', one)
  await t.call('a deleted runner is not found', 'admin', 'GET', one)
  await t.call('a deleted runner cannot be edited', 'admin', 'PATCH', one, { body: { disabled: false } })
  // A runner that has made contact is online and sorts first.
  const token = await tokenOf('admin-runners-bob', '/user')
  await register(token, 'admin-runners-silent', ['one'])
  const speaking = await register(token, 'admin-runners-speaking', ['one'])
  await t.call(
    '',
    null,
    'POST',
    '//api/actions/runner.v1.RunnerService/Declare',
    {
      body: { version: 'v1.0.1', labels: ['two', 'three'] },
      headers: { 'x-runner-uuid': speaking.uuid, 'x-runner-token': speaking.token },
    },
    { stage: true },
  )
  await t.call('a runner that has spoken comes first', 'admin-runners-bob', 'GET', '/user/actions/runners')
  await t.call(
    'a runner that has spoken is online, with its new labels',
    'admin',
    'GET',
    `/admin/actions/runners/${Number(speaking.id)}`,
  )

  // Leaves no runner that would take jobs of other scenarios.
  for (const runner of (await t.stage('admin', 'GET', '/admin/actions/runners?limit=50')).body)
    if (runner.name.startsWith('admin-runners-'))
      await t.stage('admin', 'DELETE', `/admin/actions/runners/${runner.id}`)
}
