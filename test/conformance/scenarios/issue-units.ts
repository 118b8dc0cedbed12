/** Issues and pull requests for users with access to only some units of a repository, and for blocked users. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [ann, issuer, puller, coder, guest] = [
    'issue-units-ann',
    'issue-units-issuer',
    'issue-units-puller',
    'issue-units-coder',
    'issue-units-guest',
  ]
  for (const name of [ann, issuer, puller, coder, guest]) await t.person(name)
  const org = 'issue-units-org'
  await t.stage(ann, 'POST', '/orgs', { username: org })
  await t.stage(ann, 'POST', `/orgs/${org}/repos`, {
    name: 'vault',
    private: true,
    auto_init: true,
    default_branch: 'main',
  })
  const repo = `/repos/${org}/vault`
  for (const [name, units] of [
    [issuer, { 'repo.issues': 'write' }],
    [puller, { 'repo.pulls': 'write', 'repo.code': 'read' }],
    [coder, { 'repo.code': 'write' }],
  ] as const) {
    const id = (
      await t.stage(ann, 'POST', `/orgs/${org}/teams`, {
        name: `${name}s`,
        permission: 'write',
        units_map: units,
      })
    ).body.id
    await t.stage(ann, 'PUT', `/teams/${id}/members/${name}`)
    await t.stage(ann, 'PUT', `/teams/${id}/repos/${org}/vault`)
  }
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, body === undefined ? {} : { body }, expectation)
  await t.stage(ann, 'POST', `${repo}/issues`, { title: 'an issue' })
  await t.stage(ann, 'POST', `${repo}/contents/new.md`, {
    content: 'bmV3Cg==',
    branch: 'main',
    new_branch: 'topic',
    message: 'new',
  })
  await t.stage(ann, 'POST', `${repo}/pulls`, { title: 'a pull', head: 'topic', base: 'main' })
  await t.until(ann, `${repo}/pulls/2`, (answer) => answer.body.mergeable === true)
  for (const [who, name] of [
    [issuer, 'issues only'],
    [puller, 'pulls and code'],
    [coder, 'code only'],
  ] as const) {
    await call(`${name}: the issue`, who, 'GET', `${repo}/issues/1`)
    await call(`${name}: the pull request`, who, 'GET', `${repo}/pulls/2`)
    await call(`${name}: the pull request as an issue`, who, 'GET', `${repo}/issues/2`)
    await call(`${name}: the list`, who, 'GET', `${repo}/issues`)
    await call(`${name}: the issue is edited`, who, 'PATCH', `${repo}/issues/1`, { title: `by ${who}` })
    await call(`${name}: the pull request is edited`, who, 'PATCH', `${repo}/pulls/2`, { title: `by ${who}` })
    await call(`${name}: the pull request is edited as an issue`, who, 'PATCH', `${repo}/issues/2`, {
      title: `by ${who} again`,
    })
    await call(`${name}: a comment on the issue`, who, 'POST', `${repo}/issues/1/comments`, { body: 'text' })
    await call(`${name}: a comment on the pull request`, who, 'POST', `${repo}/issues/2/comments`, {
      body: 'text',
    })
    await call(`${name}: a project`, who, 'POST', `${repo}/projects`, { title: 'x' })
    await call(`${name}: runs`, who, 'GET', `${repo}/actions/runs`)
    // The reference shows here what it hides above; only issues the caller may access should be listed.
    await call(`${name}: search`, who, 'GET', `/repos/issues/search?owner=${org}`, undefined, {
      decision: 'specification',
      statusOnly: true,
    })
  }

  await t.stage(ann, 'POST', '/user/repos', { name: 'open' })
  const open = `/repos/${ann}/open`
  await t.stage(guest, 'POST', `${open}/issues`, { title: 'of a guest' })
  await t.stage(ann, 'PUT', `/user/blocks/${guest}`)
  await call('a blocked guest creates an issue', guest, 'POST', `${open}/issues`, { title: 'x' })
  await call(
    'a blocked guest changes his title',
    guest,
    'PATCH',
    `${open}/issues/1`,
    { title: 'x' },
    { decision: 'specification', status: 403 },
  )
  await call(
    'a blocked guest changes his text',
    guest,
    'PATCH',
    `${open}/issues/1`,
    { body: 'x' },
    { decision: 'specification', status: 403 },
  )
  await call('a blocked guest closes his issue', guest, 'PATCH', `${open}/issues/1`, { state: 'closed' })
  await call('a blocked guest reacts', guest, 'POST', `${open}/issues/1/reactions`, { content: 'heart' })
  await call('a blocked guest is assigned', ann, 'PATCH', `${open}/issues/1`, { assignees: [guest] })
  await call('an issue of a blocked guest', null, 'GET', `${open}/issues/1`)
}
