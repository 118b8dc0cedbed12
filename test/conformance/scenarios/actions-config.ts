/** Secrets and variables of workflows: of users, organizations and repositories. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  for (const name of ['aconfig-ann', 'aconfig-bob', 'aconfig-eve']) await t.person(name)
  await t.stage('aconfig-ann', 'POST', '/orgs', { username: 'aconfig-org' })
  await t.stage('aconfig-ann', 'POST', '/user/repos', { name: 'anvil' })
  await t.stage('aconfig-ann', 'PUT', '/repos/aconfig-ann/anvil/collaborators/aconfig-bob', {
    permission: 'write',
  })

  for (const [kind, root] of [
    ['repo', '/repos/aconfig-ann/anvil'],
    ['org', '/orgs/aconfig-org'],
    ['user', '/user'],
  ] as const) {
    const secrets = `${root}/actions/secrets`
    const put = (step: string, name: string, body: unknown, as: string | null = 'aconfig-ann') =>
      t.call(`${kind} secret: ${step}`, as, 'PUT', `${secrets}/${name}`, { body })
    await put('nobody', 'KEY', { data: 'x' }, null)
    if (kind !== 'user') await put('a stranger', 'KEY', { data: 'x' }, 'aconfig-eve')
    if (kind === 'repo') await put('a writer', 'KEY', { data: 'x' }, 'aconfig-bob')
    await t.call(`${kind} secret: no body`, 'aconfig-ann', 'PUT', `${secrets}/KEY`)
    await put('no value', 'KEY', {})
    await put('new', 'KEY', { data: 'first', description: 'A key' })
    await put('changed', 'key', { data: 'second' })
    await put('another', 'OTHER_KEY', { data: 'x' })
    await put('a name that begins with a digit', '1KEY', { data: 'x' })
    await put('a name with a dash', 'A-KEY', { data: 'x' })
    await put('a reserved name', 'GITHUB_KEY', { data: 'x' })
    await put('another reserved name', 'GITEA_KEY', { data: 'x' })
    if (kind !== 'user') {
      await t.call(`${kind} secret: list`, 'aconfig-ann', 'GET', secrets, {}, { unordered: true })
      await t.call(
        `${kind} secret: page 1`,
        'aconfig-ann',
        'GET',
        `${secrets}?limit=1`,
        {},
        { statusOnly: true },
      )
      await t.call(`${kind} secret: nobody lists`, null, 'GET', secrets)
      await t.call(`${kind} secret: a stranger lists`, 'aconfig-eve', 'GET', secrets)
    }
    await t.call(`${kind} secret: nobody deletes`, null, 'DELETE', `${secrets}/KEY`)
    await t.call(`${kind} secret: deleted`, 'aconfig-ann', 'DELETE', `${secrets}/KEY`)
    await t.call(`${kind} secret: deleted twice`, 'aconfig-ann', 'DELETE', `${secrets}/KEY`)
    await t.call(
      `${kind} secret: a name that is none is deleted`,
      'aconfig-ann',
      'DELETE',
      `${secrets}/A-KEY`,
    )

    const variables = `${root}/actions/variables`
    const make = (step: string, name: string, body: unknown, as: string | null = 'aconfig-ann') =>
      t.call(`${kind} variable: ${step}`, as, 'POST', `${variables}/${name}`, { body })
    await t.call(`${kind} variable: none yet`, 'aconfig-ann', 'GET', variables)
    await make('nobody', 'LEVEL', { value: 'x' }, null)
    if (kind !== 'user') await make('a stranger', 'LEVEL', { value: 'x' }, 'aconfig-eve')
    await make('no value', 'LEVEL', {})
    await make('new', 'LEVEL', { value: 'high', description: 'How high' })
    await make('new, in small letters', 'other', { value: 'low' })
    await make('the same again', 'level', { value: 'x' })
    await make('a name that begins with a digit', '1LEVEL', { value: 'x' })
    await make('a name with a dash', 'A-LEVEL', { value: 'x' })
    await make('a reserved name', 'CI', { value: 'x' })
    await t.call(`${kind} variable: list`, 'aconfig-ann', 'GET', variables, {}, { unordered: true })
    await t.call(
      `${kind} variable: page 2`,
      'aconfig-ann',
      'GET',
      `${variables}?limit=1&page=2`,
      {},
      { ignore: ['name', 'data', 'description'] },
    )
    await t.call(`${kind} variable: one`, 'aconfig-ann', 'GET', `${variables}/LEVEL`)
    await t.call(`${kind} variable: one in small letters`, 'aconfig-ann', 'GET', `${variables}/level`)
    await t.call(`${kind} variable: a missing one`, 'aconfig-ann', 'GET', `${variables}/NONE`)
    await t.call(`${kind} variable: nobody reads`, null, 'GET', `${variables}/LEVEL`)
    const edit = (step: string, name: string, body: unknown, as: string | null = 'aconfig-ann') =>
      t.call(`${kind} variable: ${step}`, as, 'PUT', `${variables}/${name}`, { body })
    await edit('changed', 'LEVEL', { value: 'higher' })
    await edit('changed and renamed', 'LEVEL', { name: 'HEIGHT', value: 'highest', description: 'Very' })
    await edit('the old name is gone', 'LEVEL', { value: 'x' })
    await edit('renamed to a bad name', 'HEIGHT', { name: '1-2', value: 'x' })
    await edit('changed without a value', 'HEIGHT', {})
    await t.call(`${kind} variable: nobody deletes`, null, 'DELETE', `${variables}/HEIGHT`)
    await t.call(`${kind} variable: deleted`, 'aconfig-ann', 'DELETE', `${variables}/HEIGHT`)
    await t.call(`${kind} variable: deleted twice`, 'aconfig-ann', 'DELETE', `${variables}/HEIGHT`)
  }
}
