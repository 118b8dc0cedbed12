/** System and default webhooks. */
import type { Stage } from '../stage.ts'

const CONFIG = { url: 'http://hooks.example.test/one', content_type: 'json' }

/** D10: admin operations answer 200. */
const created = { decision: 'D10', instead: { 201: 200 } }

export async function play(t: Stage): Promise<void> {
  await t.person('admin-hooks-ann')
  const create = (step: string, body: unknown, as: string | null = 'admin') =>
    t.call(step, as, 'POST', '/admin/hooks', { body }, created)

  await t.call('nobody may not list hooks', null, 'GET', '/admin/hooks')
  await t.call('a plain user may not list hooks', 'admin-hooks-ann', 'GET', '/admin/hooks')
  await t.call('no system hook yet', 'admin', 'GET', '/admin/hooks')
  await t.call('no hook of any kind yet', 'admin', 'GET', '/admin/hooks?type=all')

  await create('nobody may not create a hook', { type: 'gitea', config: CONFIG }, null)
  await create('a plain user may not create a hook', { type: 'gitea', config: CONFIG }, 'admin-hooks-ann')
  await t.call('no body', 'admin', 'POST', '/admin/hooks')
  await create('an empty object', {})
  await create('no config', { type: 'gitea' })
  await create('no type', { config: CONFIG })
  await create('an unknown type', { type: 'pigeon', config: CONFIG })
  await create('a type with spaces around', { type: ' gitea ', config: CONFIG })
  await create('an empty config', { type: 'gitea', config: {} })
  await create('no url', { type: 'gitea', config: { content_type: 'json' } })
  await create('no content type', { type: 'gitea', config: { url: CONFIG.url } })
  await create('a content type written as media type', {
    type: 'gitea',
    config: { ...CONFIG, content_type: 'application/json' },
  })
  await create('a url without scheme', { type: 'gitea', config: { ...CONFIG, url: 'hooks.example.test' } })
  await create('a url of another scheme', {
    type: 'gitea',
    config: { ...CONFIG, url: 'ftp://hooks.example.test/x' },
  })
  await create('a system mark that is no truth value', {
    type: 'gitea',
    config: { ...CONFIG, is_system_webhook: 'perhaps' },
  })
  await create('a branch filter that is no pattern', { type: 'gitea', config: CONFIG, branch_filter: '[' })
  await create('a name that is too long', { type: 'gitea', config: CONFIG, name: 'n'.repeat(256) })
  await create('slack without channel', { type: 'slack', config: CONFIG })
  await create('slack with a blank channel', { type: 'slack', config: { ...CONFIG, channel: '  ' } })
  await create('a number where a text belongs', { type: 'gitea', config: { ...CONFIG, url: 5 } })

  const plain = await create('the smallest hook is a default hook and not active', {
    type: 'gitea',
    config: CONFIG,
  })
  const full = await create('every field', {
    type: 'gitea',
    name: '  the full one  ',
    active: true,
    branch_filter: '{main,release/*}',
    authorization_header: 'Bearer admin-hooks',
    events: ['push'],
    config: {
      url: 'https://hooks.example.test:8443/two?x=1',
      content_type: 'form',
      secret: 'admin-hooks-secret',
      is_system_webhook: 'true',
      http_method: 'GET',
    },
  })
  const slack = await create('slack', {
    type: 'slack',
    active: true,
    config: {
      ...CONFIG,
      channel: ' #admin-hooks ',
      username: 'anvil',
      icon_url: 'http://hooks.example.test/i.png',
      color: '#abcdef',
      is_system_webhook: '1',
    },
  })
  const made = [plain, full, slack]
  for (const type of [
    'gogs',
    'discord',
    'dingtalk',
    'telegram',
    'msteams',
    'feishu',
    'matrix',
    'wechatwork',
    'packagist',
  ])
    made.push(
      await create(`type ${type}`, { type, config: { ...CONFIG, url: `http://hooks.example.test/${type}` } }),
    )

  await t.call('system hooks', 'admin', 'GET', '/admin/hooks')
  await t.call('default hooks', 'admin', 'GET', '/admin/hooks?type=default')
  await t.call('both kinds', 'admin', 'GET', '/admin/hooks?type=all&limit=50')
  await t.call('an unknown kind means system', 'admin', 'GET', '/admin/hooks?type=nonsense')
  await t.call('page 1 of three', 'admin', 'GET', '/admin/hooks?type=all&limit=5')
  await t.call('page 2 of three', 'admin', 'GET', '/admin/hooks?type=all&limit=5&page=2')
  await t.call('page 3 of three', 'admin', 'GET', '/admin/hooks?type=all&limit=5&page=3')
  await t.call('past the last page', 'admin', 'GET', '/admin/hooks?type=all&limit=5&page=4')

  for (const [step, list] of [
    ['none means push', []],
    ['issues means all of issues', ['issues']],
    ['issues alone', ['issues_only']],
    ['pull requests means all of them', ['pull_request']],
    ['pull requests alone', ['pull_request_only']],
    [
      'the single ones',
      [
        'create',
        'delete',
        'fork',
        'push',
        'repository',
        'wiki',
        'release',
        'package',
        'status',
        'workflow_run',
        'workflow_job',
      ],
    ],
    ['details', ['issue_label', 'issue_comment', 'pull_request_review', 'pull_request_sync']],
    ['capitals', ['PUSH', 'Release']],
    ['an unknown one is dropped', ['push', 'sneeze']],
    ['only unknown ones', ['sneeze']],
  ] as [string, string[]][]) {
    const hook = await t.call(
      `events: ${step}`,
      'admin',
      'POST',
      '/admin/hooks',
      { body: { type: 'gitea', config: CONFIG, events: list } },
      { ...created, unordered: true },
    )
    await t.stage('admin', 'DELETE', `/admin/hooks/${hook.body.id}`)
  }

  const one = `/admin/hooks/${full.body.id}`
  await t.call('nobody may not read a hook', null, 'GET', one)
  await t.call('a plain user may not read a hook', 'admin-hooks-ann', 'GET', one)
  await t.call('one hook', 'admin', 'GET', one)
  await t.call('the slack hook', 'admin', 'GET', `/admin/hooks/${slack.body.id}`)
  await t.call('a hook that does not exist', 'admin', 'GET', '/admin/hooks/99999999')
  await t.call(
    'an id that is no number',
    'admin',
    'GET',
    '/admin/hooks/nonsense',
    {},
    { decision: 'specification', status: 404 },
  )

  const edit = (step: string, body: unknown, as: string | null = 'admin', path = one) =>
    t.call(step, as, 'PATCH', path, { body })
  await edit('nobody may not edit a hook', { active: false }, null)
  await edit('a plain user may not edit a hook', { active: false }, 'admin-hooks-ann')
  await edit('an empty edit keeps address, name and activity, but resets events and branch filter', {})
  await edit('switched off, with another address', {
    active: false,
    config: { url: 'http://hooks.example.test/edited' },
  })
  await edit('other content type, name, filter and header', {
    name: 'edited',
    branch_filter: 'main',
    authorization_header: 'Basic xyz',
    events: ['release'],
    active: true,
    config: { content_type: 'json' },
  })
  await t.call('an edit without a body does the same', 'admin', 'PATCH', one)
  await t.call(
    'an edit of a missing hook',
    'admin',
    'PATCH',
    '/admin/hooks/99999999',
    { body: { active: true } },
    { decision: 'specification', status: 404 },
  )

  await t.call('nobody may not delete a hook', null, 'DELETE', one)
  await t.call('a plain user may not delete a hook', 'admin-hooks-ann', 'DELETE', one)
  await t.stage('admin-hooks-ann', 'POST', '/user/repos', { name: 'copied' })
  await t.call(
    'default hooks are copied into a new repository',
    'admin-hooks-ann',
    'GET',
    '/repos/admin-hooks-ann/copied/hooks?limit=2',
  )
  for (const hook of made) if (hook !== full) await t.stage('admin', 'DELETE', `/admin/hooks/${hook.body.id}`)
  await t.call('a hook is deleted', 'admin', 'DELETE', one)
  await t.call('a hook is deleted twice', 'admin', 'DELETE', one)
  await t.call('nothing is left', 'admin', 'GET', '/admin/hooks?type=all')
}
