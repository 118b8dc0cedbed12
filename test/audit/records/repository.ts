/** Fields of the record Repository that need special preparation to show. */
import { type Audit, until } from '../kit/audit.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasStatus, holds } from '../kit/verdicts.ts'

const REPOSITORY = 'Repository'

export async function askAboutRepository(audit: Audit, stage: Stage): Promise<void> {
  await askAboutFields(audit, stage)
  await askAboutParts(audit, stage)
  await askAboutCounts(audit, stage)
}

async function askAboutFields({ demand, request }: Audit, { alice, org }: Stage): Promise<void> {
  const repo = (await request('GET', `/repos/${alice}/open`, { as: alice })).json
  await demand(REPOSITORY, 'A repository has the field default_target_branch.', async () =>
    holds('default_target_branch' in repo, 'the field is missing'),
  )
  for (const name of ['external_tracker', 'external_wiki', 'parent', 'repo_transfer'])
    await demand(REPOSITORY, `A repository without ${name} has the field with null.`, async () =>
      equals(repo[name], null),
    )
  await demand(
    REPOSITORY,
    'The owner of a repository has an e-mail address, which is empty for an organization without one.',
    async () => {
      const { json } = await request('GET', `/repos/${org}/main`, { as: alice })
      return allOf(equals(json.owner.email, ''), holds(/@/.test(repo.owner.email), repo.owner.email))
    },
  )
  await demand(
    REPOSITORY,
    'Fields of the type uri are addresses, and empty only where there is nothing to name.',
    async () => {
      const names = ['avatar_url', 'clone_url', 'html_url', 'languages_url', 'original_url', 'ssh_url', 'url']
      const empty = names.filter((name) => repo[name] === '')
      return allOf(fits(REPOSITORY, repo), equals(empty, ['avatar_url', 'original_url']))
    },
  )
  await demand(REPOSITORY, 'Clients can follow url, html_url and languages_url.', () =>
    each(['url', 'html_url', 'languages_url'], async (name) => {
      const { pathname } = new URL(repo[name])
      return hasStatus(await request('GET', pathname, { as: alice, root: true }), 200)
    }),
  )
}

async function askAboutParts({ demand, request, suffix }: Audit, stage: Stage): Promise<void> {
  const { alice, bob, carol, makeRepo } = stage
  await demand(REPOSITORY, 'external_tracker and external_wiki are records.', async () => {
    await makeRepo(alice, 'ext')
    const external_tracker = {
      external_tracker_url: 'http://x.test/',
      external_tracker_format: 'http://x.test/{user}/{repo}/{index}',
      external_tracker_style: 'regexp',
      external_tracker_regexp_pattern: '#(\\d+)',
    }
    const external_wiki = { external_wiki_url: 'http://w.test/' }
    const body = { has_issues: true, external_tracker, has_wiki: true, external_wiki }
    const answer = await request('PATCH', `/repos/${alice}/ext`, { as: alice, body })
    return allOf(
      hasStatus(answer, 200),
      fits('ExternalTracker', answer.json.external_tracker),
      fits('ExternalWiki', answer.json.external_wiki),
    )
  })
  await demand(
    REPOSITORY,
    'A repository with an external tracker and an external wiki has every field.',
    async () => fits(REPOSITORY, (await request('GET', `/repos/${alice}/ext`, { as: alice })).json),
  )
  await demand(REPOSITORY, 'internal_tracker is a record.', async () => {
    const { json } = await request('GET', `/repos/${alice}/open`, { as: alice })
    return fits('InternalTracker', json.internal_tracker)
  })
  await demand(REPOSITORY, 'A fork names its parent as a whole repository.', async () => {
    await request('POST', `/repos/${alice}/open/forks`, { as: bob, body: {} })
    const { json } = await request('GET', `/repos/${bob}/open`, { as: bob })
    return allOf(equals(json.fork, true), fits(REPOSITORY, json.parent))
  })
  await demand(REPOSITORY, 'repo_transfer describes a transfer that is pending.', async () => {
    await makeRepo(alice, 'tr')
    await request('POST', `/repos/${alice}/tr/transfer`, { as: alice, body: { new_owner: carol } })
    const { json } = await request('GET', `/repos/${alice}/tr`, { as: alice })
    return fits('RepoTransfer', json.repo_transfer)
  })
  await demand(REPOSITORY, 'An archived repository says so and since when.', async () => {
    const { json } = await request('GET', `/repos/${alice}/old`, { as: alice })
    return allOf(equals(json.archived, true), holds(json.archived_at, 'archived_at is empty'))
  })
  await demand(REPOSITORY, 'A repository of a private organization is internal.', async () => {
    const org = `priv-${suffix}`
    await request('POST', '/orgs', { as: alice, body: { username: org, visibility: 'private' } })
    const made = await request('POST', `/orgs/${org}/repos`, { as: alice, body: { name: 'in' } })
    return equals(made.json.internal, true)
  })
}

async function askAboutCounts({ demand, request, must }: Audit, stage: Stage): Promise<void> {
  const { alice, makeRepo, makeIssue, addFile } = stage
  const place = `${alice}/open`
  await demand(REPOSITORY, 'branch_count, open_issues_count and release_counter count.', async () => {
    await makeIssue(place, 'x', alice)
    await must(request('POST', `/repos/${place}/releases`, { as: alice, body: { tag_name: 'v1' } }))
    const body = { new_branch_name: 'b2', old_branch_name: 'main' }
    await must(request('POST', `/repos/${place}/branches`, { as: alice, body }))
    let counts: number[] = []
    await until(async () => {
      const { json } = await request('GET', `/repos/${place}`, { as: alice })
      counts = [json.branch_count, json.open_issues_count, json.release_counter]
      return json.branch_count === 2
    })
    return equals(counts, [2, 1, 1])
  })
  await demand(REPOSITORY, 'The forge finds language and licenses.', async () => {
    await makeRepo(alice, 'lang', { license: 'MIT' })
    await addFile(`${alice}/lang`, 'a.go', 'package main\nfunc main() {}\n', alice)
    const found = await until(async () => {
      const { json } = await request('GET', `/repos/${alice}/lang`, { as: alice })
      return json.language && json.licenses.length > 0 ? [json.language, json.licenses[0]] : undefined
    })
    return equals(found, ['Go', 'MIT'])
  })
}
