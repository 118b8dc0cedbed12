/** Repositories created in an organization: every option, every refusal. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const owner = 'orgrepos-owner'
  const org = 'orgrepos-forge'
  const make = `/orgs/${org}/repos`
  await t.person(owner)
  await t.person('orgrepos-creator')
  await t.person('orgrepos-reader')
  await t.person('orgrepos-stranger')
  await t.stage(owner, 'POST', '/orgs', { username: org })
  await t.stage(owner, 'POST', '/orgs', { username: 'orgrepos-hidden', visibility: 'private' })
  await t.stage(owner, 'POST', '/orgs', { username: 'orgrepos-long' })
  const creators = await t.stage(owner, 'POST', `/orgs/${org}/teams`, {
    name: 'creators',
    permission: 'write',
    can_create_org_repo: true,
    units_map: { 'repo.code': 'write', 'repo.issues': 'read' },
  })
  await t.stage(owner, 'PUT', `/teams/${creators.body.id}/members/orgrepos-creator`)
  const readers = await t.stage(owner, 'POST', `/orgs/${org}/teams`, {
    name: 'readers',
    permission: 'read',
    includes_all_repositories: true,
    units_map: { 'repo.code': 'read', 'repo.wiki': 'read' },
  })
  await t.stage(owner, 'PUT', `/teams/${readers.body.id}/members/orgrepos-reader`)

  await t.call('the smallest request', owner, 'POST', make, { body: { name: 'small' } })
  await t.call('an empty repository read back by its owner', owner, 'GET', `/repos/${org}/small`)
  await t.call(
    'an empty repository read back by a stranger',
    'orgrepos-stranger',
    'GET',
    `/repos/${org}/small`,
  )
  await t.call('an empty repository read back by nobody', null, 'GET', `/repos/${org}/small`)
  await t.call('every option at once', owner, 'POST', make, {
    body: {
      name: 'Full.Name_1',
      description: 'All options',
      private: true,
      auto_init: true,
      template: true,
      gitignores: 'Go,Node',
      license: 'MIT',
      readme: 'Default',
      issue_labels: 'Advanced',
      default_branch: 'trunk',
      trust_model: 'collaboratorcommitter',
      object_format_name: 'sha1',
    },
  })
  await t.call('the files of the initial commit', owner, 'GET', `/repos/${org}/Full.Name_1/contents`)
  await t.call(
    'the readme holds name and description',
    owner,
    'GET',
    `/repos/${org}/Full.Name_1/contents/README.md`,
  )
  await t.call(
    'the initial commit',
    owner,
    'GET',
    `/repos/${org}/Full.Name_1/commits`,
    {},
    { ignore: ['stats'] },
  )
  await t.call(
    'the labels of the chosen set',
    owner,
    'GET',
    `/repos/${org}/Full.Name_1/labels`,
    {},
    { unordered: true },
  )
  await t.call('the branch of the initial commit', owner, 'GET', `/repos/${org}/Full.Name_1/branches`)
  await t.call('the licences found in it', owner, 'GET', `/repos/${org}/Full.Name_1/licenses`)
  await t.call('the same set under its short name', owner, 'POST', make, {
    body: { name: 'labels-default', issue_labels: 'Default' },
  })
  await t.call(
    'the labels of the default set',
    owner,
    'GET',
    `/repos/${org}/labels-default/labels`,
    {},
    { unordered: true },
  )

  for (const model of ['default', 'collaborator', 'committer', 'collaboratorcommitter', 'nonsense'])
    await t.call(`trust model ${model}`, owner, 'POST', make, {
      body: { name: `trust-${model}`, trust_model: model },
    })
  // The last one was refused (D49); later lists count it.
  await t.stage(owner, 'POST', make, { name: 'trust-nonsense' })
  await t.call('auto_init alone', owner, 'POST', make, { body: { name: 'init-only', auto_init: true } })
  await t.call('a readme template without auto_init stays unused', owner, 'POST', make, {
    body: { name: 'readme-only', readme: 'Default' },
  })
  await t.call('an unknown readme template without auto_init', owner, 'POST', make, {
    body: { name: 'readme-odd', readme: 'Nonsense' },
  })
  await t.call('an unknown readme template with auto_init', owner, 'POST', make, {
    body: { name: 'readme-odd2', readme: 'Nonsense', auto_init: true },
  })
  await t.call('a default branch without auto_init', owner, 'POST', make, {
    body: { name: 'branch-only', default_branch: 'develop' },
  })
  await t.call('a licence without auto_init', owner, 'POST', make, {
    body: { name: 'licence-only', license: 'MIT' },
  })
  await t.call(
    'a licence without auto_init leaves no files',
    owner,
    'GET',
    `/repos/${org}/licence-only/contents`,
  )
  await t.call('gitignores without auto_init', owner, 'POST', make, {
    body: { name: 'ignore-only', gitignores: 'Go' },
  })
  // The recording server's git is too old for SHA-256; the repository is kept separate so that no list depends on it.
  await t.call(
    'a SHA-256 repository',
    owner,
    'POST',
    '/orgs/orgrepos-long/repos',
    { body: { name: 'hashes', object_format_name: 'sha256', auto_init: true } },
    { decision: 'specification', status: 201 },
  )
  await t.call(
    'a SHA-256 repository has a branch',
    owner,
    'GET',
    '/repos/orgrepos-long/hashes/branches/main',
    {},
    { decision: 'specification', status: 200 },
  )
  await t.call('an empty object format means sha1', owner, 'POST', make, {
    body: { name: 'format-empty', object_format_name: '' },
  })
  await t.call('null fields count as absent', owner, 'POST', make, {
    body: { name: 'nulls', description: null, private: null, license: null },
  })
  await t.call('unknown fields are ignored', owner, 'POST', make, {
    body: { name: 'unknowns', colour: 'red', has_wiki: false },
  })
  await t.call('a name of one letter', owner, 'POST', make, { body: { name: 'x' } })
  await t.call('a name of 100 letters', owner, 'POST', make, { body: { name: 'n'.repeat(100) } })
  await t.call('the deprecated address', owner, 'POST', `/org/${org}/repos`, {
    body: { name: 'old-address' },
  })

  await t.call(
    'unknown gitignore sets',
    owner,
    'POST',
    make,
    { body: { name: 'bad-ignore', gitignores: 'Nonsense', auto_init: true } },
    { decision: 'D13', status: 422 },
  )
  await t.call(
    'an unknown licence',
    owner,
    'POST',
    make,
    { body: { name: 'bad-licence', license: 'Nonsense', auto_init: true } },
    { decision: 'D13', status: 422 },
  )
  await t.call('an unknown label set', owner, 'POST', make, {
    body: { name: 'bad-labels', issue_labels: 'Nonsense' },
  })
  await t.call(
    'an unknown object format',
    owner,
    'POST',
    make,
    { body: { name: 'bad-format', object_format_name: 'md5' } },
    { decision: 'D13', status: 422 },
  )
  await t.call('an object format that is too long', owner, 'POST', make, {
    body: { name: 'bad-format2', object_format_name: 'sha2560' },
  })
  for (const name of [
    '',
    ' ',
    'with space',
    'with/slash',
    'ümlaut',
    'a+b',
    'n'.repeat(101),
    '.',
    '-',
    'a.git',
    'a.wiki',
    'A.GIT',
    'a.rss',
    'a.atom',
  ])
    await t.call(`a bad name: «${name.length > 100 ? '101 letters' : name}»`, owner, 'POST', make, {
      body: { name },
    })
  await t.call(
    'a bad name: two dots alone',
    owner,
    'POST',
    make,
    { body: { name: '..' } },
    { decision: 'D13', status: 422 },
  )
  await t.call(
    'a bad name: two dots in the middle',
    owner,
    'POST',
    make,
    { body: { name: 'a..b' } },
    { decision: 'D13', status: 422 },
  )
  await t.call('a bad default branch', owner, 'POST', make, {
    body: { name: 'bad-branch', default_branch: 'a..b' },
  })
  await t.call('a description of 2049 characters', owner, 'POST', make, {
    body: { name: 'long-text', description: 'd'.repeat(2049) },
  })
  await t.call('a number as name', owner, 'POST', make, { body: { name: 5 } })
  await t.call('a text as flag', owner, 'POST', make, { body: { name: 'flag', private: 'yes' } })
  await t.call('no name', owner, 'POST', make, { body: {} })
  await t.call('no body', owner, 'POST', make)
  await t.call('broken JSON', owner, 'POST', make, { raw: { type: 'application/json', data: '{"name": ' } })
  await t.call('a form instead of JSON', owner, 'POST', make, {
    raw: { type: 'application/x-www-form-urlencoded', data: 'name=by-form&private=true' },
  })
  await t.call('a taken name', owner, 'POST', make, { body: { name: 'small' } })
  await t.call('a taken name in other letters', owner, 'POST', make, { body: { name: 'SMALL' } })

  await t.call('nobody may not create', null, 'POST', make, { body: { name: 'by-nobody' } })
  await t.call('wrong password', owner, 'POST', make, {
    body: { name: 'by-liar' },
    headers: { authorization: `Basic ${Buffer.from(`${owner}:wrong`).toString('base64')}` },
  })
  await t.call('a missing organization', owner, 'POST', '/orgs/orgrepos-missing/repos', {
    body: { name: 'x' },
  })
  await t.call('a missing organization, asked for by nobody', null, 'POST', '/orgs/orgrepos-missing/repos', {
    body: { name: 'x' },
  })
  await t.call('a user is no organization', owner, 'POST', '/orgs/orgrepos-stranger/repos', {
    body: { name: 'x' },
  })
  await t.call('a stranger may not create', 'orgrepos-stranger', 'POST', make, {
    body: { name: 'by-stranger' },
  })
  await t.call('a stranger with a bad body hears of the body first', 'orgrepos-stranger', 'POST', make, {
    body: {},
  })
  await t.call('a member without the right may not create', 'orgrepos-reader', 'POST', make, {
    body: { name: 'by-reader' },
  })
  await t.call('a member with the right creates', 'orgrepos-creator', 'POST', make, {
    body: { name: 'by-creator', private: true },
  })
  await t.call(
    'who creates becomes administrator of it',
    'orgrepos-creator',
    'GET',
    `/repos/${org}/by-creator`,
  )
  await t.call(
    'who creates is listed as collaborator',
    owner,
    'GET',
    `/repos/${org}/by-creator/collaborators`,
  )
  await t.call(
    'a team with all repositories may read it',
    'orgrepos-reader',
    'GET',
    `/repos/${org}/by-creator`,
  )
  await t.call(
    'the teams of the new repository',
    owner,
    'GET',
    `/repos/${org}/by-creator/teams`,
    {},
    { unordered: true, ignore: ['units'] },
  )
  await t.call('a stranger does not see it', 'orgrepos-stranger', 'GET', `/repos/${org}/by-creator`)
  await t.call('the site administrator creates anywhere', 'admin', 'POST', make, {
    body: { name: 'by-admin' },
  })
  await t.call(
    'a hidden organization does not exist for a stranger',
    'orgrepos-stranger',
    'POST',
    '/orgs/orgrepos-hidden/repos',
    { body: { name: 'x' } },
  )
  await t.call(
    'a public repository in a hidden organization is internal',
    owner,
    'POST',
    '/orgs/orgrepos-hidden/repos',
    { body: { name: 'inside' } },
  )

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(owner, 'POST', `/users/${owner}/tokens`, { name, scopes })).body.sha1}`
  await t.call('a token for organizations alone', null, 'POST', make, {
    body: { name: 'token-1' },
    headers: { authorization: await token('org', ['write:organization']) },
  })
  await t.call('a token for repositories alone', null, 'POST', make, {
    body: { name: 'token-2' },
    headers: { authorization: await token('repo', ['write:repository']) },
  })
  await t.call('a token for both', null, 'POST', make, {
    body: { name: 'token-3' },
    headers: { authorization: await token('both', ['write:organization', 'write:repository']) },
  })
  await t.call(
    'a token for public things in a hidden organization',
    null,
    'POST',
    '/orgs/orgrepos-hidden/repos',
    {
      body: { name: 'token-4' },
      headers: {
        authorization: await token('public', ['public-only', 'write:organization', 'write:repository']),
      },
    },
  )

  await t.call('repositories of the organization, first page', owner, 'GET', `/orgs/${org}/repos?limit=2`)
  await t.call(
    'repositories of the organization, a later page',
    owner,
    'GET',
    `/orgs/${org}/repos?limit=2&page=3`,
  )
  await t.call(
    'repositories of the organization, seen by nobody',
    null,
    'GET',
    `/orgs/${org}/repos?limit=3&page=2`,
  )
  // The reference counts the hidden repositories in the header of an empty list; that count is not compared.
  await t.call(
    'repositories of a hidden organization, seen by a stranger',
    'orgrepos-stranger',
    'GET',
    '/orgs/orgrepos-hidden/repos',
    {},
    { statusOnly: true },
  )
  await t.stage('admin', 'POST', `/admin/users/${owner}/orgs`, { username: 'orgrepos-before' })
  await t.stage('admin', 'POST', '/orgs/orgrepos-before/rename', { new_name: 'orgrepos-after' })
  await t.call('the old name of a renamed organization', owner, 'POST', '/orgs/orgrepos-before/repos', {
    body: { name: 'moved' },
  })
}
