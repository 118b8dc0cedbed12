/** A user's repositories: create, read, edit, rename, archive, delete. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'repos-ann'
  for (const name of [ann, 'repos-admin', 'repos-writer', 'repos-reader', 'repos-stranger'])
    await t.person(name)
  await t.call('the smallest request', ann, 'POST', '/user/repos', { body: { name: 'small' } })
  await t.call('with options', ann, 'POST', '/user/repos', {
    body: {
      name: 'full',
      description: 'Text',
      private: true,
      auto_init: true,
      default_branch: 'trunk',
      license: 'MIT',
      template: true,
    },
  })
  await t.call('nobody may not create', null, 'POST', '/user/repos', { body: { name: 'x' } })
  await t.call('a taken name', ann, 'POST', '/user/repos', { body: { name: 'Small' } })
  await t.call('no name', ann, 'POST', '/user/repos', { body: { description: 'x' } })
  await t.call('an administrator creates for another', 'admin', 'POST', `/admin/users/${ann}/repos`, {
    body: { name: 'by-admin', private: true },
  })
  await t.call('others may not create for another', 'repos-stranger', 'POST', `/admin/users/${ann}/repos`, {
    body: { name: 'x' },
  })
  const main = await t.stage(ann, 'POST', '/user/repos', { name: 'main', auto_init: true })
  const repo = `/repos/${ann}/main`
  for (const level of ['admin', 'writer', 'reader'])
    await t.stage(ann, 'PUT', `${repo}/collaborators/repos-${level}`, {
      permission: level === 'admin' ? 'admin' : level === 'writer' ? 'write' : 'read',
    })

  await t.call('read by its owner', ann, 'GET', repo)
  await t.call('read by a collaborator with admin access', 'repos-admin', 'GET', repo)
  await t.call('read by a writer', 'repos-writer', 'GET', repo)
  await t.call('read by a stranger', 'repos-stranger', 'GET', repo)
  await t.call('read by nobody', null, 'GET', repo)
  await t.call('read by the site administrator', 'admin', 'GET', repo)
  await t.call('read in capital letters', null, 'GET', `/repos/${ann.toUpperCase()}/MAIN`)
  await t.call('read by id', 'repos-stranger', 'GET', `/repositories/${main.body.id}`)
  await t.call('read by id, nobody', null, 'GET', `/repositories/${main.body.id}`)
  await t.call('an unknown id', ann, 'GET', '/repositories/999999')
  await t.call('a private one is hidden', 'repos-stranger', 'GET', `/repos/${ann}/full`)
  await t.call(
    'a private one is hidden by id too',
    'repos-stranger',
    'GET',
    `/repositories/${(await t.stage(ann, 'GET', `/repos/${ann}/full`)).body.id}`,
  )
  await t.call('a missing one', ann, 'GET', `/repos/${ann}/missing`)
  await t.call('a missing owner', ann, 'GET', '/repos/repos-missing/main')
  await t.call('own repositories', ann, 'GET', '/user/repos')
  await t.call('own repositories, nobody', null, 'GET', '/user/repos')
  await t.call('own repositories count those one works on', 'repos-writer', 'GET', '/user/repos')
  await t.call('repositories of a user, seen by nobody', null, 'GET', `/users/${ann}/repos`)
  await t.call('repositories of a user, seen by himself', ann, 'GET', `/users/${ann}/repos`)
  // The reference counts hidden repositories in the headers for signed-in users; that count is not compared.
  await t.call(
    'repositories of a user, seen by a stranger',
    'repos-stranger',
    'GET',
    `/users/${ann}/repos`,
    {},
    { statusOnly: true },
  )
  await t.call('repositories of a user, one to a page', null, 'GET', `/users/${ann}/repos?limit=1`)
  await t.call('repositories of a missing user', null, 'GET', '/users/repos-missing/repos')

  const edit = (step: string, body: unknown, as: string | null = ann, extra = {}) =>
    t.call(step, as, 'PATCH', repo, { body }, extra)
  await edit('an empty edit', {})
  await edit('description and website', { description: 'New text', website: 'https://example.test/' })
  await edit('a website that is none', { website: 'nonsense' })
  await edit('nobody edits', { description: 'x' }, null)
  await edit('a stranger edits', { description: 'x' }, 'repos-stranger')
  await edit('a reader edits', { description: 'x' }, 'repos-reader')
  await edit('a writer edits', { description: 'x' }, 'repos-writer')
  await edit('a collaborator with admin access edits', { description: 'by admin' }, 'repos-admin')
  await edit('made private', { private: true })
  await t.call('private: a stranger does not see it', 'repos-stranger', 'GET', repo)
  await edit('made public', { private: false })
  await edit('made a template', { template: true })
  await edit('no longer a template', { template: false })
  await edit('issues off', { has_issues: false })
  await t.call('issues are off', ann, 'GET', `${repo}/issues`)
  await edit('an external tracker', {
    has_issues: true,
    external_tracker: {
      external_tracker_url: 'https://track.example.test/',
      external_tracker_format: 'https://track.example.test/{index}',
      external_tracker_style: 'numeric',
    },
  })
  await edit('an external tracker with a bad address', {
    has_issues: true,
    external_tracker: { external_tracker_url: 'nonsense', external_tracker_format: 'x' },
  })
  await edit('an internal tracker again', {
    has_issues: true,
    internal_tracker: {
      enable_time_tracker: false,
      allow_only_contributors_to_track_time: false,
      enable_issue_dependencies: false,
    },
  })
  await edit('an external wiki', {
    has_wiki: true,
    external_wiki: { external_wiki_url: 'https://wiki.example.test/' },
  })
  await edit('an external wiki with a bad address', {
    has_wiki: true,
    external_wiki: { external_wiki_url: 'nonsense' },
  })
  await edit('wiki off', { has_wiki: false })
  await edit('projects of the repository only', { has_projects: true, projects_mode: 'repo' })
  await edit('releases, packages and actions off', {
    has_releases: false,
    has_packages: false,
    has_actions: false,
  })
  await edit('all units on', {
    has_wiki: true,
    has_projects: true,
    has_releases: true,
    has_packages: true,
    has_actions: true,
    projects_mode: 'all',
  })
  await edit('merge styles', {
    has_pull_requests: true,
    ignore_whitespace_conflicts: true,
    allow_merge_commits: false,
    allow_rebase: true,
    allow_rebase_explicit: false,
    allow_squash_merge: true,
    allow_fast_forward_only_merge: true,
    allow_manual_merge: true,
    autodetect_manual_merge: true,
    allow_rebase_update: false,
    default_delete_branch_after_merge: true,
    default_merge_style: 'squash',
    default_allow_maintainer_edit: true,
  })
  await edit('an unknown merge style', { has_pull_requests: true, default_merge_style: 'nonsense' })
  await edit('pull requests off', { has_pull_requests: false })
  await edit('pull requests on', { has_pull_requests: true })
  await edit('a default branch that is there', { default_branch: 'main' })
  await edit('a default branch that is not there', { default_branch: 'nothing' })
  await edit('a mirror interval on what is no mirror', { mirror_interval: '8h' })
  await edit('a description that is too long', { description: 'd'.repeat(2049) })
  await edit('a name that is taken', { name: 'small' })
  await edit('a name with a blank', { name: 'a b' })
  await edit('a reserved name', { name: '-' })
  await edit('wrong type', { private: 'yes' })

  await edit('archived', { archived: true })
  await t.call('archived: no files', ann, 'POST', `${repo}/contents/x.txt`, { body: { content: 'eA==' } })
  await t.call('archived: no branches', ann, 'POST', `${repo}/branches`, { body: { new_branch_name: 'x' } })
  await t.call('archived: no issues', ann, 'POST', `${repo}/issues`, { body: { title: 'x' } })
  await t.call(
    'archived: nobody hears 401 first',
    null,
    'POST',
    `${repo}/contents/x.txt`,
    { body: { content: 'eA==' } },
    { decision: 'D18', status: 401 },
  )
  await edit('archived: description can be edited', { description: 'archived' })
  await edit('archived again', { archived: true })
  await edit('live again', { archived: false })

  await edit('renamed', { name: 'renamed' })
  await t.call('the old name leads to the new one', ann, 'GET', repo)
  await t.call(
    'the old name leads on below it, with its query',
    null,
    'GET',
    `${repo}/commits?limit=1&page=2`,
  )
  await t.call('the old name does not accept a write', ann, 'PATCH', repo, { body: { description: 'x' } })
  await t.call('the old name can be used again', ann, 'POST', '/user/repos', { body: { name: 'main' } })
  await t.call('the old name is itself again', ann, 'GET', repo)
  await t.call('the same name in other letters', ann, 'PATCH', `/repos/${ann}/renamed`, {
    body: { name: 'Renamed' },
  })

  await t.call('nobody deletes', null, 'DELETE', repo)
  await t.call('a stranger deletes', 'repos-stranger', 'DELETE', repo)
  await t.call('a collaborator with admin access deletes', 'repos-admin', 'DELETE', `/repos/${ann}/Renamed`)
  await t.call('deleted by its owner', ann, 'DELETE', repo)
  await t.call('deleted twice', ann, 'DELETE', repo)
  await t.call('gone', ann, 'GET', repo)
  await t.call('deleted by the site administrator', 'admin', 'DELETE', `/repos/${ann}/small`)
  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(ann, 'POST', `/users/${ann}/tokens`, { name, scopes })).body.sha1}`
  await t.call('created with a token for repositories alone', null, 'POST', '/user/repos', {
    body: { name: 'by-token' },
    headers: { authorization: await token('repo', ['write:repository']) },
  })
  await t.call('created with a token for both', null, 'POST', '/user/repos', {
    body: { name: 'by-token' },
    headers: { authorization: await token('both', ['write:repository', 'write:user']) },
  })
  await t.call('read with a token for public things', null, 'GET', `/repos/${ann}/full`, {
    headers: { authorization: await token('public', ['public-only', 'read:repository']) },
  })
}
