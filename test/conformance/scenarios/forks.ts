/** Forks and repositories generated from templates. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'forks-ann'
  const bob = 'forks-bob'
  for (const name of [ann, bob, 'forks-cy']) await t.person(name)
  await t.stage(bob, 'POST', '/orgs', { username: 'forks-org' })
  await t.stage(ann, 'POST', '/orgs', { username: 'forks-foreign' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'origin', auto_init: true, description: 'The origin' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'empty' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(bob, 'POST', '/user/repos', { name: 'taken' })
  const origin = `/repos/${ann}/origin/forks`

  await t.call('no forks yet', null, 'GET', origin)
  await t.call('nobody forks', null, 'POST', origin, { body: {} })
  await t.call('a fork under a taken name', bob, 'POST', origin, { body: { name: 'taken' } })
  await t.call(
    'a fork with a bad name',
    bob,
    'POST',
    origin,
    { body: { name: 'a b' } },
    { decision: 'D13', status: 422 },
  )
  await t.call('the smallest request', bob, 'POST', origin, { body: {} })
  await t.call('the fork read back', bob, 'GET', `/repos/${bob}/origin`)
  await t.call('the branches of the fork', bob, 'GET', `/repos/${bob}/origin/branches`)
  await t.call('a second fork', bob, 'POST', origin, { body: { name: 'second' } })
  await t.call('a fork with another name', 'forks-cy', 'POST', origin, { body: { name: 'renamed' } })
  await t.call('a fork into an own organization', bob, 'POST', origin, {
    body: { organization: 'forks-org', name: 'org-fork' },
  })
  await t.call('a fork into an organization of others', bob, 'POST', origin, {
    body: { organization: 'forks-foreign' },
  })
  await t.call('a fork into a missing organization', bob, 'POST', origin, {
    body: { organization: 'forks-missing' },
  })
  await t.call('the owner forks to himself', ann, 'POST', origin, { body: { name: 'self' } })
  await t.call('a fork of a fork', 'forks-cy', 'POST', `/repos/${bob}/origin/forks`, {
    body: { name: 'third' },
  })
  await t.call('a fork of an empty repository', bob, 'POST', `/repos/${ann}/empty/forks`, { body: {} })
  await t.call('a fork of a hidden repository', bob, 'POST', `/repos/${ann}/closed/forks`, { body: {} })
  await t.call('a fork of a missing repository', bob, 'POST', `/repos/${ann}/missing/forks`, { body: {} })
  await t.call('the forks', null, 'GET', origin, {}, { unordered: true })
  await t.call('the forks, a page past the end', null, 'GET', `${origin}?limit=1&page=9`)
  await t.call('the origin counts its forks', null, 'GET', `/repos/${ann}/origin`)
  await t.stage(ann, 'POST', `/repos/${ann}/origin/contents/new.txt`, { content: 'bmV3', message: 'New' })
  await t.call('a fork catches up with its origin', bob, 'POST', `/repos/${bob}/origin/merge-upstream`, {
    body: { branch: 'main' },
  })
  await t.call('a fork that is up to date catches up', bob, 'POST', `/repos/${bob}/origin/merge-upstream`, {
    body: { branch: 'main' },
  })
  await t.call(
    'what is no fork cannot catch up',
    bob,
    'POST',
    `/repos/${bob}/taken/merge-upstream`,
    { body: { branch: 'main' } },
    { decision: 'D13', status: 400 },
  )
  await t.call('a stranger lets a fork catch up', 'forks-cy', 'POST', `/repos/${bob}/origin/merge-upstream`, {
    body: { branch: 'main' },
  })
  await t.stage(ann, 'DELETE', `/repos/${ann}/origin`)
  await t.call(
    'a fork whose origin is gone',
    bob,
    'GET',
    `/repos/${bob}/origin`,
    {},
    { decision: 'D30', ignore: ['language'] },
  )

  await t.stage(ann, 'POST', '/user/repos', {
    name: 'model',
    auto_init: true,
    template: true,
    issue_labels: 'Default',
    description: 'A model',
  })
  await t.stage(ann, 'PUT', `/repos/${ann}/model/topics/example`)
  await t.stage(ann, 'POST', '/user/repos', { name: 'plain', auto_init: true })
  const generate = `/repos/${ann}/model/generate`
  await t.call('nobody generates', null, 'POST', generate, {
    body: { owner: bob, name: 'g', git_content: true },
  })
  await t.call('generated with its files', bob, 'POST', generate, {
    body: { owner: bob, name: 'g-files', git_content: true },
  })
  await t.call('the files of the model', bob, 'GET', `/repos/${bob}/g-files/contents`)
  await t.call('generated with everything', bob, 'POST', generate, {
    body: {
      owner: bob,
      name: 'g-all',
      git_content: true,
      topics: true,
      labels: true,
      avatar: true,
      webhooks: true,
      git_hooks: true,
      protected_branch: true,
      description: 'Mine',
      private: true,
      default_branch: 'trunk',
    },
  })
  await t.call('the labels of the model', bob, 'GET', `/repos/${bob}/g-all/labels`, {}, { unordered: true })
  await t.call('the topics of the model', bob, 'GET', `/repos/${bob}/g-all/topics`)
  await t.call('generated with nothing', bob, 'POST', generate, { body: { owner: bob, name: 'g-none' } })
  await t.call('generated without a name', bob, 'POST', generate, { body: { owner: bob, git_content: true } })
  await t.call('generated under a taken name', bob, 'POST', generate, {
    body: { owner: bob, name: 'taken', git_content: true },
  })
  await t.call('generated for another', bob, 'POST', generate, {
    body: { owner: 'forks-cy', name: 'g', git_content: true },
  })
  await t.call('generated for a missing owner', bob, 'POST', generate, {
    body: { owner: 'forks-missing', name: 'g', git_content: true },
  })
  await t.call('generated for an own organization', bob, 'POST', generate, {
    body: { owner: 'forks-org', name: 'g-org', git_content: true },
  })
  await t.call('generated for an organization of others', bob, 'POST', generate, {
    body: { owner: 'forks-foreign', name: 'g-org', git_content: true },
  })
  await t.call('generated from what is no template', bob, 'POST', `/repos/${ann}/plain/generate`, {
    body: { owner: bob, name: 'g', git_content: true },
  })
}
