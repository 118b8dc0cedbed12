/** Searching issues and pull requests across repositories. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [ann, bob, eve] = ['issue-search-ann', 'issue-search-bob', 'issue-search-eve']
  for (const name of [ann, bob, eve]) await t.person(name)
  const org = 'issue-search-org'
  await t.stage(ann, 'POST', '/orgs', { username: org })
  await t.stage(ann, 'POST', `/orgs/${org}/repos`, { name: 'open', auto_init: true, default_branch: 'main' })
  await t.stage(ann, 'POST', `/orgs/${org}/repos`, { name: 'hidden', private: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'own' })
  const team = (
    await t.stage(ann, 'POST', `/orgs/${org}/teams`, {
      name: 'crew',
      permission: 'write',
      units: ['repo.code', 'repo.issues', 'repo.pulls'],
    })
  ).body.id
  await t.stage(ann, 'PUT', `/teams/${team}/members/${bob}`)
  await t.stage(ann, 'PUT', `/teams/${team}/repos/${org}/hidden`)
  const open = `/repos/${org}/open`
  const hidden = `/repos/${org}/hidden`
  const red = (await t.stage(ann, 'POST', `${open}/labels`, { name: 'issue-search-red', color: '#ff0000' }))
    .body.id
  const blue = (
    await t.stage(ann, 'POST', `/orgs/${org}/labels`, { name: 'issue-search-blue', color: '#0000ff' })
  ).body.id
  const one = (await t.stage(ann, 'POST', `${open}/milestones`, { title: 'issue-search-one' })).body.id
  const issue = async (as: string, repo: string, body: unknown): Promise<number> =>
    (await t.stage(as, 'POST', `${repo}/issues`, body)).body.number
  await issue(ann, open, { title: 'quench the tongs', labels: [red] })
  await issue(bob, open, { title: 'a blue tongue', body: 'the zorkmid is in the text' })
  await t.stage(ann, 'PUT', `${open}/issues/2/labels`, { labels: [blue] })
  const three = await issue(ann, open, { title: 'one for the milestone', milestone: one, assignees: [bob] })
  await issue(ann, hidden, { title: 'the hidden zorkmid', body: `@${bob} look` })
  await issue(eve, `/repos/${ann}/own`, { title: 'a wish of eve' })
  const closed = await issue(bob, open, { title: 'closed tongs' })
  await t.stage(ann, 'PATCH', `${open}/issues/${closed}`, { state: 'closed' })
  await t.stage(ann, 'POST', `${open}/contents/new.md`, {
    content: 'bmV3Cg==',
    new_branch: 'topic',
    branch: 'main',
    message: 'new',
  })
  const pull = (
    await t.stage(ann, 'POST', `${open}/pulls`, { title: 'a pull of tongs', head: 'topic', base: 'main' })
  ).body.number
  await t.stage(ann, 'POST', `${open}/pulls/${pull}/requested_reviewers`, { reviewers: [bob] })
  await t.stage(bob, 'POST', `${open}/issues/${three}/comments`, { body: 'xyzzy in a comment' })
  await t.until(bob, `/repos/issues/search?mentioned=true&owner=${org}`, (answer) => answer.body.length === 1)

  const search = (step: string, as: string | null, query: string, expectation: Expectation = {}) =>
    t.call(step, as, 'GET', `/repos/issues/search?${query}`, {}, expectation)
  const own = `owner=${org}`
  await search('open issues of one owner, for nobody', null, own)
  await search('for a member, with the hidden ones', bob, own)
  await search('for a stranger', eve, own)
  await search('for the administrator', 'admin', own)
  await search('of an owner who is a user', bob, `owner=${ann}`)
  await search('of an unknown owner', bob, 'owner=issue-search-none')
  await search('state closed', bob, `${own}&state=closed`)
  await search('state all', bob, `${own}&state=all`)
  await search('an unknown state', bob, `${own}&state=done`)
  await search('only issues', bob, `${own}&type=issues`)
  await search('only pull requests', bob, `${own}&type=pulls`)
  await search('an unknown type', bob, `${own}&type=notes`)
  await search('one label', bob, `${own}&labels=issue-search-red`)
  await search('any of two labels', bob, `${own}&labels=issue-search-red,issue-search-blue`)
  await search(
    'an unknown label beside a known one',
    bob,
    `${own}&labels=issue-search-none,issue-search-blue`,
  )
  await search('only an unknown label', bob, `${own}&labels=issue-search-none`)
  await search('one milestone', bob, `${own}&milestones=issue-search-one`)
  await search('a milestone in another case', bob, `${own}&milestones=ISSUE-SEARCH-ONE`)
  await search(
    'an unknown milestone beside a known one',
    bob,
    `${own}&milestones=issue-search-none,issue-search-one`,
  )
  await search('only an unknown milestone', bob, `${own}&milestones=issue-search-none`)
  await search('a word of the title', bob, `${own}&q=tongs`)
  await search('a word in another case', bob, `${own}&q=TONGS&state=all`)
  await search('a word of the text', bob, `${own}&q=zorkmid`)
  await search('a word of the text, for nobody', null, `${own}&q=zorkmid`)
  await search('a word of a comment', bob, `${own}&q=xyzzy`)
  await search('a number', bob, `${own}&q=${three}`)
  await search('a word that is nowhere', bob, `${own}&q=plugh`)
  await search('blanks around the word', bob, `${own}&q=%20quench%20`)
  await search('since the far past', bob, `${own}&since=2001-01-01T00:00:00Z`)
  await search('since the far future', bob, `${own}&since=2099-01-01T00:00:00Z`)
  await search('before the far past', bob, `${own}&before=2001-01-01T00:00:00Z`)
  await search('since a word', bob, `${own}&since=yesterday`)
  await search('before a word', bob, `${own}&before=yesterday`)
  await search('assigned', bob, `${own}&assigned=true`)
  await search('assigned, for nobody', null, `${own}&assigned=true`)
  await search('assigned=1', bob, `${own}&assigned=1`)
  await search('assigned=yes is not true', bob, `${own}&assigned=yes`)
  await search('created', bob, `${own}&created=true`)
  await search('created by', null, `${own}&created_by=${bob}`)
  await search('created by an unknown user', null, `${own}&created_by=issue-search-none`)
  await search('created wins over created by', bob, `${own}&created=true&created_by=${ann}`)
  await search('mentioned', bob, `${own}&mentioned=true`)
  await search('review requested', bob, `${own}&review_requested=true`)
  await search('reviewed', bob, `${own}&reviewed=true`)
  await t.stage(bob, 'POST', `${open}/pulls/${pull}/reviews`, { event: 'APPROVED', body: 'good' })
  await search('reviewed, after a review', bob, `${own}&reviewed=true`)
  await search('review requested, after a review', bob, `${own}&review_requested=true`)
  await search('assigned and created together', bob, `${own}&assigned=true&created=true`)
  await search('of a team', bob, `${own}&team=crew`)
  await search('of an unknown team', bob, `${own}&team=none`)
  await search('of a team without an owner', bob, 'team=crew')
  await search('two to a page', bob, `${own}&limit=2`)
  await search('second page', bob, `${own}&limit=2&page=2`)
  await search('last page with all parameters', bob, `${own}&limit=2&page=2&state=open&type=issues&q=`)
  await search('a page behind the last', bob, `${own}&limit=2&page=9`)
  await search('page 0 and limit 0', bob, `${own}&limit=0&page=0`)
  await search('a limit that is a word', bob, `${own}&limit=x&page=y`)

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(bob, 'POST', `/users/${bob}/tokens`, { name, scopes })).body.sha1}`
  const withToken = (step: string, authorization: string) =>
    t.call(step, bob, 'GET', `/repos/issues/search?${own}`, { headers: { authorization } })
  await withToken('a token for public things only', await token('public', ['read:issue', 'public-only']))
  await withToken('a token without issues', await token('users', ['read:user']))
  await withToken('a token for issues', await token('issues', ['read:issue']))
}
