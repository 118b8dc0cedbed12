/** Repositories imported from a git URL, here always from the same server. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'migrate-ann'
  const migrate = '/repos/migrate'
  for (const name of [ann, 'migrate-bob', 'migrate-creator']) await t.person(name)
  await t.stage(ann, 'POST', '/orgs', { username: 'migrate-org' })
  const team = await t.stage(ann, 'POST', '/orgs/migrate-org/teams', {
    name: 'creators',
    permission: 'write',
    can_create_org_repo: true,
    units_map: { 'repo.code': 'write' },
  })
  await t.stage(ann, 'PUT', `/teams/${team.body.id}/members/migrate-creator`)
  const org = await t.stage(ann, 'GET', '/orgs/migrate-org')
  await t.stage(ann, 'POST', '/user/repos', {
    name: 'source',
    description: 'The source',
    auto_init: true,
    readme: 'Default',
  })
  await t.stage(ann, 'POST', `/repos/${ann}/source/branches`, { new_branch_name: 'next' })
  await t.stage(ann, 'POST', `/repos/${ann}/source/tags`, { tag_name: 'v1' })
  await t.stage(ann, 'POST', `/repos/${ann}/source/issues`, { title: 'An issue' })
  await t.stage(ann, 'POST', `/repos/${ann}/source/labels`, { name: 'bug', color: '#ff0000' })
  await t.stage(ann, 'POST', `/repos/${ann}/source/wiki/new`, {
    title: 'Home',
    content_base64: Buffer.from('Hello').toString('base64'),
  })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'bare' })
  const address = `${t.base}/${ann}/source.git`

  await t.call('the smallest request', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'small' },
  })
  await t.call('the branches came along', ann, 'GET', `/repos/${ann}/small/branches`, {}, { unordered: true })
  await t.call('the tags came along', ann, 'GET', `/repos/${ann}/small/tags`)
  await t.call('no wiki unless asked for', ann, 'GET', `/repos/${ann}/small/wiki/pages`)
  await t.call('no issues from plain git', ann, 'GET', `/repos/${ann}/small/issues`)
  await t.call('every flag, service plain git', ann, 'POST', migrate, {
    body: {
      clone_addr: address,
      repo_name: 'full',
      repo_owner: ann,
      service: 'git',
      description: 'Imported',
      private: true,
      wiki: true,
      issues: true,
      labels: true,
      milestones: true,
      pull_requests: true,
      releases: true,
      lfs: false,
      mirror: false,
    },
  })
  await t.call('the wiki was asked for', ann, 'GET', `/repos/${ann}/full/wiki/pages`)
  await t.call('an unknown service counts as plain git', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'odd-service', service: 'nonsense' },
  })
  await t.call('an address without .git', ann, 'POST', migrate, {
    body: { clone_addr: `${t.base}/${ann}/source`, repo_name: 'no-suffix' },
  })
  await t.call('an empty source', ann, 'POST', migrate, {
    body: { clone_addr: `${t.base}/${ann}/bare.git`, repo_name: 'from-bare' },
  })
  await t.call('a mirror', ann, 'POST', migrate, {
    body: {
      clone_addr: address,
      repo_name: 'mirror',
      mirror: true,
      mirror_interval: '12h0m0s',
      issues: true,
      wiki: true,
    },
  })
  await t.call('a mirror read back', ann, 'GET', `/repos/${ann}/mirror`)
  await t.call('a mirror that never syncs by itself', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'mirror-still', mirror: true, mirror_interval: '0' },
  })
  await t.call('a mirror takes no pull requests', ann, 'GET', `/repos/${ann}/mirror/pulls`)
  await t.call('a mirror takes no files', ann, 'POST', `/repos/${ann}/mirror/contents/new.txt`, {
    body: { content: 'bmV3' },
  })
  await t.call('a private source with a password', ann, 'POST', migrate, {
    body: {
      clone_addr: `${t.base}/${ann}/closed.git`,
      repo_name: 'closed-copy',
      auth_username: ann,
      auth_password: `pw-${ann}-1234`,
    },
  })
  await t.call('into an organization', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'in-org', repo_owner: 'migrate-org' },
  })
  await t.call('into an organization by uid', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'in-org-uid', uid: org.body.id },
  })
  await t.call('repo_owner wins over uid', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'both', repo_owner: ann, uid: org.body.id },
  })
  await t.call('the site administrator imports for another', 'admin', 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'by-admin', repo_owner: 'migrate-bob' },
  })

  const token = async (name: string, scopes: string[]) =>
    (await t.stage(ann, 'POST', `/users/${ann}/tokens`, { name, scopes })).body.sha1 as string
  await t.call('nobody may not import', null, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'x' },
  })
  await t.call('a taken name', ann, 'POST', migrate, { body: { clone_addr: address, repo_name: 'small' } })
  await t.call('a taken name and an unreachable source', ann, 'POST', migrate, {
    body: { clone_addr: `${t.base}/nowhere/none.git`, repo_name: 'small' },
  })
  await t.call('a missing owner', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'x', repo_owner: 'migrate-missing' },
  })
  await t.call('a missing uid', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'x', uid: 999999 },
  })
  await t.call('for another user', 'migrate-bob', 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'x', repo_owner: ann },
  })
  await t.call('for an organization of others', 'migrate-bob', 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'x', repo_owner: 'migrate-org' },
  })
  await t.call(
    'a member who may create repositories may still not import',
    'migrate-creator',
    'POST',
    migrate,
    { body: { clone_addr: address, repo_name: 'x', repo_owner: 'migrate-org' } },
  )
  await t.call('an address that is none', ann, 'POST', migrate, {
    body: { clone_addr: 'nonsense', repo_name: 'x' },
  })
  await t.call('an address with another scheme', ann, 'POST', migrate, {
    body: { clone_addr: 'ftp://127.0.0.1/a.git', repo_name: 'x' },
  })
  await t.call('an ssh address', ann, 'POST', migrate, {
    body: { clone_addr: 'ssh://git@127.0.0.1/a/b.git', repo_name: 'x' },
  })
  await t.call('a local path', ann, 'POST', migrate, { body: { clone_addr: '/nothing', repo_name: 'x' } })
  await t.call('no address', ann, 'POST', migrate, { body: { repo_name: 'x' } })
  await t.call('no name', ann, 'POST', migrate, { body: { clone_addr: address } })
  await t.call('no body', ann, 'POST', migrate)
  await t.call('a name with a space', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'a b' },
  })
  await t.call('a name ending in .git', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'a.git' },
  })
  await t.call('a reserved name', ann, 'POST', migrate, { body: { clone_addr: address, repo_name: '-' } })
  await t.call('two dots in the name', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'a..b' },
  })
  await t.call('a name of 101 letters', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'n'.repeat(101) },
  })
  await t.call('a description that is too long', ann, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'x', description: 'd'.repeat(2049) },
  })
  await t.call(
    'a mirror interval that is too short',
    'migrate-bob',
    'POST',
    migrate,
    { body: { clone_addr: address, repo_name: 'short', mirror: true, mirror_interval: '1s' } },
    { decision: 'D13', status: 422 },
  )
  await t.call(
    'a mirror interval that is none',
    'migrate-bob',
    'POST',
    migrate,
    { body: { clone_addr: address, repo_name: 'none', mirror: true, mirror_interval: 'soon' } },
    { decision: 'D13', status: 422 },
  )
  await t.call('a private source without password', 'migrate-bob', 'POST', migrate, {
    body: { clone_addr: `${t.base}/${ann}/closed.git`, repo_name: 'denied' },
  })
  await t.call('a source that is not there', 'migrate-bob', 'POST', migrate, {
    body: { clone_addr: `${t.base}/${ann}/nothing.git`, repo_name: 'lost' },
  })
  await t.call(
    'a failed import leaves nothing behind',
    'migrate-bob',
    'GET',
    '/repos/migrate-bob/lost',
    {},
    { decision: 'D15', status: 404 },
  )
  await t.call(
    'the name of a failed import is free again',
    'migrate-bob',
    'POST',
    migrate,
    { body: { clone_addr: address, repo_name: 'lost' } },
    { decision: 'D15', status: 201 },
  )
  await t.call('a reading token', null, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'x' },
    headers: { authorization: `token ${await token('reading', ['read:repository'])}` },
  })
  await t.call('a token for public things', null, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'x' },
    headers: { authorization: `token ${await token('public', ['public-only', 'write:repository'])}` },
  })
  await t.call('a writing token', null, 'POST', migrate, {
    body: { clone_addr: address, repo_name: 'by-token' },
    headers: { authorization: `token ${await token('writing', ['write:repository'])}` },
  })
}
