/** Smaller features of a repository: avatar, issue forms, pins, tracked times. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'settings-ann'
  for (const name of [ann, 'settings-writer', 'settings-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'one', auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'empty' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/settings-writer`, { permission: 'write' })
  const repo = `/repos/${ann}/one`
  const text = (value: string) => Buffer.from(value).toString('base64')
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await t.call('a picture', ann, 'POST', `${repo}/avatar`, { body: { image: pixel } })
  await t.call(
    'a picture that is none',
    ann,
    'POST',
    `${repo}/avatar`,
    { body: { image: text('no picture') } },
    { decision: 'D13', status: 422 },
  )
  await t.call('a picture in broken base64', ann, 'POST', `${repo}/avatar`, { body: { image: '***' } })
  await t.call('a picture by a writer', 'settings-writer', 'POST', `${repo}/avatar`, {
    body: { image: pixel },
  })
  await t.call(
    'a picture by nobody',
    null,
    'POST',
    `${repo}/avatar`,
    { body: { image: pixel } },
    { decision: 'D18', status: 401 },
  )
  await t.call('the picture is removed', ann, 'DELETE', `${repo}/avatar`)
  await t.call('the picture is removed twice', ann, 'DELETE', `${repo}/avatar`)

  await t.call('issue settings without a file', null, 'GET', `${repo}/issue_config`)
  await t.call('issue settings without a file are valid', null, 'GET', `${repo}/issue_config/validate`)
  await t.call('issue settings of an empty repository', ann, 'GET', `/repos/${ann}/empty/issue_config`)
  await t.stage(ann, 'POST', `${repo}/contents/.gitea/ISSUE_TEMPLATE/config.yaml`, {
    content: text(
      'blank_issues_enabled: false\ncontact_links:\n  - name: Chat\n    url: https://chat.example.test\n    about: Ask there\n',
    ),
  })
  await t.call('issue settings', null, 'GET', `${repo}/issue_config`)
  await t.call('issue settings are valid', null, 'GET', `${repo}/issue_config/validate`)
  const file = await t.stage(ann, 'GET', `${repo}/contents/.gitea/ISSUE_TEMPLATE/config.yaml`)
  await t.stage(ann, 'PUT', `${repo}/contents/.gitea/ISSUE_TEMPLATE/config.yaml`, {
    sha: file.body.sha,
    content: text('contact_links:\n  - name: Chat\n    url: nonsense\n'),
  })
  await t.call('issue settings are broken', null, 'GET', `${repo}/issue_config/validate`)
  await t.call('no issue templates', null, 'GET', `${repo}/issue_templates`)
  await t.stage(ann, 'POST', `${repo}/contents/.gitea/ISSUE_TEMPLATE/bug.md`, {
    content: text(
      '---\nname: Bug\nabout: Something breaks\ntitle: "bug: "\nlabels: [bug]\nref: main\n---\nWhat happened?\n',
    ),
  })
  await t.stage(ann, 'POST', `${repo}/contents/.gitea/ISSUE_TEMPLATE/form.yaml`, {
    content: text(
      'name: Form\nabout: A form\nbody:\n  - type: textarea\n    id: what\n    attributes:\n      label: What\n    validations:\n      required: true\n',
    ),
  })
  await t.call('issue templates', null, 'GET', `${repo}/issue_templates`, {}, { unordered: true })
  await t.call('pins allowed', null, 'GET', `${repo}/new_pin_allowed`)

  await t.stage(ann, 'POST', `${repo}/issues`, { title: 'Work' })
  await t.call('no times', ann, 'GET', `${repo}/times`)
  await t.call('no times, nobody', null, 'GET', `${repo}/times`)
  await t.stage(ann, 'POST', `${repo}/issues/1/times`, { time: 60 })
  await t.stage('settings-writer', 'POST', `${repo}/issues/1/times`, { time: 120 })
  await t.call('all times', ann, 'GET', `${repo}/times`, {}, { unordered: true })
  await t.call(
    'all times, seen by a writer',
    'settings-writer',
    'GET',
    `${repo}/times`,
    {},
    { unordered: true },
  )
  await t.call('times of one user', ann, 'GET', `${repo}/times?user=settings-writer`)
  await t.call('times of one user by path', ann, 'GET', `${repo}/times/settings-writer`)
  await t.call('times of another, asked by a writer', 'settings-writer', 'GET', `${repo}/times?user=${ann}`)
  await t.call('times of a missing user', ann, 'GET', `${repo}/times?user=settings-missing`)
  await t.call('times since then', ann, 'GET', `${repo}/times?since=2099-01-01T00:00:00Z`)
  await t.call('times before then', ann, 'GET', `${repo}/times?before=2000-01-01T00:00:00Z`)
  await t.call('times with a bad date', ann, 'GET', `${repo}/times?since=nonsense`)
  await t.call('own times everywhere', 'settings-writer', 'GET', '/user/times')
  await t.call('the signing key', null, 'GET', `${repo}/signing-key.gpg`)
}
