/** Webhooks of repositories, organizations and users. */
import type { Stage } from '../stage.ts'

const CONFIG = { url: 'http://hooks.example.test/one', content_type: 'json' }

export async function play(t: Stage): Promise<void> {
  for (const name of ['hooks-ann', 'hooks-bob', 'hooks-eve']) await t.person(name)
  await t.stage('hooks-ann', 'POST', '/orgs', { username: 'hooks-org' })
  await t.stage('hooks-ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
  await t.stage('hooks-ann', 'POST', '/user/repos', { name: 'closed', private: true })
  await t.stage('hooks-ann', 'PUT', '/repos/hooks-ann/anvil/collaborators/hooks-bob', { permission: 'write' })

  for (const [kind, root] of [
    ['repo', '/repos/hooks-ann/anvil/hooks'],
    ['org', '/orgs/hooks-org/hooks'],
    ['user', '/user/hooks'],
  ] as const) {
    const make = (step: string, body: unknown, as: string | null = 'hooks-ann') =>
      t.call(`${kind}: make ${step}`, as, 'POST', root, { body }, { unordered: true })
    await t.call(`${kind}: none yet`, 'hooks-ann', 'GET', root)
    await t.call(`${kind}: nobody may not list`, null, 'GET', root)
    await make('as nobody', { type: 'gitea', config: CONFIG }, null)
    if (kind !== 'user') {
      await t.call(`${kind}: a stranger may not list`, 'hooks-eve', 'GET', root)
      await make('as a stranger', { type: 'gitea', config: CONFIG }, 'hooks-eve')
    }
    if (kind === 'repo') await make('as a writer', { type: 'gitea', config: CONFIG }, 'hooks-bob')
    await t.call(`${kind}: make without a body`, 'hooks-ann', 'POST', root)
    await make('without a type', { config: CONFIG })
    await make('without a config', { type: 'gitea' })
    await make('of an unknown type', { type: 'pigeon', config: CONFIG })
    await make('without a url', { type: 'gitea', config: { content_type: 'json' } })
    await make('without a content type', { type: 'gitea', config: { url: CONFIG.url } })
    await make('with a bad url', { type: 'gitea', config: { ...CONFIG, url: 'nowhere' } })
    await make('with a bad content type', { type: 'gitea', config: { ...CONFIG, content_type: 'xml' } })
    await make('with a bad branch filter', { type: 'gitea', config: CONFIG, branch_filter: '[' })
    await make('for slack without a channel', { type: 'slack', config: CONFIG })
    const first = await make('the smallest', { type: 'gitea', config: CONFIG })
    const full = await make('with every field', {
      type: 'gitea',
      name: ' full ',
      active: true,
      branch_filter: 'release/*',
      authorization_header: 'Bearer x',
      events: ['push', 'issues'],
      config: { url: 'https://hooks.example.test/full', content_type: 'form', secret: 'hooks-secret' },
    })
    for (const type of kind === 'repo'
      ? [
          'gogs',
          'slack',
          'discord',
          'dingtalk',
          'telegram',
          'msteams',
          'feishu',
          'matrix',
          'wechatwork',
          'packagist',
        ]
      : ['slack'])
      await make(`of type ${type}`, {
        type,
        active: true,
        config: {
          ...CONFIG,
          url: `http://hooks.example.test/${type}`,
          ...(type === 'slack'
            ? {
                channel: '#forge',
                username: 'anvil',
                color: '#112233',
                icon_url: 'http://hooks.example.test/i.png',
              }
            : {}),
        },
      })
    await t.call(`${kind}: list`, 'hooks-ann', 'GET', root, {}, { ignore: ['events'] })
    await t.call(`${kind}: page 1`, 'hooks-ann', 'GET', `${root}?limit=2`, {}, { ignore: ['events'] })
    await t.call(`${kind}: page 2`, 'hooks-ann', 'GET', `${root}?limit=2&page=2`, {}, { ignore: ['events'] })
    await t.call(`${kind}: past the last page`, 'hooks-ann', 'GET', `${root}?limit=2&page=50`)

    const one = `${root}/${full.body.id}`
    await t.call(`${kind}: one`, 'hooks-ann', 'GET', one, {}, { unordered: true })
    await t.call(`${kind}: a missing one`, 'hooks-ann', 'GET', `${root}/99999999`)
    await t.call(`${kind}: one, asked by another`, 'hooks-eve', 'GET', one)
    const edit = (step: string, body: unknown, as: string | null = 'hooks-ann', path = one) =>
      t.call(`${kind}: edit ${step}`, as, 'PATCH', path, { body }, { unordered: true })
    await edit('as nobody', { active: false }, null)
    await edit('as another', { active: false }, 'hooks-eve')
    await edit('a missing one', { active: false }, 'hooks-ann', `${root}/99999999`)
    await edit('nothing: events and filter are reset', {})
    await edit('activity', { active: false })
    await edit('events', { events: ['release', 'wiki'], branch_filter: 'main' })
    await edit('address and content type', {
      config: { url: 'http://hooks.example.test/edited', content_type: 'json', secret: 'new' },
      name: 'edited',
      authorization_header: '',
    })
    await edit('to a bad url', { config: { url: 'nowhere' } })
    await edit('to a bad content type', { config: { content_type: 'xml' } })
    await edit('to a bad branch filter', { branch_filter: '[' })
    if (kind === 'repo') {
      await t.call('repo: test', 'hooks-ann', 'POST', `${one}/tests`)
      await t.call('repo: test of a branch', 'hooks-ann', 'POST', `${one}/tests?ref=refs/heads/main`)
      await t.call('repo: test of a missing one', 'hooks-ann', 'POST', `${root}/99999999/tests`)
      await t.call('repo: test as a writer', 'hooks-bob', 'POST', `${one}/tests`)
      await t.call('repo: hidden', 'hooks-eve', 'GET', '/repos/hooks-ann/closed/hooks')
      await t.call(
        'repo: git hooks need a right of their own',
        'hooks-ann',
        'GET',
        '/repos/hooks-ann/anvil/hooks/git',
      )
    }
    await t.call(`${kind}: delete as nobody`, null, 'DELETE', one)
    await t.call(`${kind}: delete as another`, 'hooks-eve', 'DELETE', one)
    await t.call(`${kind}: delete`, 'hooks-ann', 'DELETE', one)
    await t.call(`${kind}: delete twice`, 'hooks-ann', 'DELETE', one)
    await t.call(`${kind}: delete the first`, 'hooks-ann', 'DELETE', `${root}/${first.body.id}`)
  }
}
