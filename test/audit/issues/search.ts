/** Questions about the search of issues. */
import { type Audit, until } from '../kit/audit.ts'
import type { Answer, Json, RequestOptions } from '../kit/client.ts'
import { fitsAll } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'

const SEARCH = 'GET /repos/issues/search'
const LONG_AGO = '2001-01-01T00:00:00Z'
const FAR_AHEAD = '2999-01-01T00:00:00Z'

/** Issues whose titles have one word in common, and how to search them. */
interface Searched {
  readonly label: string
  readonly milestone: string
  /** Alice's, with label and milestone. */
  readonly first: Json
  /** Bob's, assigned to alice; an edit mentions carol, and a comment mentions alice. */
  readonly second: Json
  /** Alice's, with a review requested from bob. */
  readonly pull: Json
  /** Searches for the word, unless the query has another. */
  readonly search: (query?: string, asking?: RequestOptions) => Promise<Answer>
  readonly edit: (issue: Json, body: object) => Promise<Json>
}

const idsIn = ({ json }: Answer): number[] => json.map((it: Json) => it.id)

export async function askAboutIssueSearch(audit: Audit, stage: Stage): Promise<void> {
  const searched = await makeSearched(audit, stage)
  await askAboutResults(audit, stage, searched)
  await askAboutCaller(audit, stage, searched)
  await askAboutFilters(audit, stage, searched)
  await askAboutOwners(audit, stage, searched)
}

async function makeSearched({ call, request, must, suffix }: Audit, stage: Stage): Promise<Searched> {
  const { alice, bob, carol, makeIssue, openPull } = stage
  const [open, word] = [`${alice}/open`, `word${suffix}`]
  const post = (path: string, body: object, as = alice) =>
    must(request('POST', `/repos/${open}/${path}`, { as, body }))
  const [label, milestone] = [`found-${suffix}`, `goal-${suffix}`]
  const { id } = await post('labels', { name: label, color: '#ff0000' })
  const goal = await post('milestones', { title: milestone })
  const first = await makeIssue(open, `${word} one`, alice, { labels: [id], milestone: goal.id })
  const second = await makeIssue(open, `${word} two`, bob, { assignees: [alice] })
  await makeIssue(`${alice}/hidden`, `${word} three`, alice)
  const pull = await openPull(open, 'p-search', alice, { title: `${word} pull` })
  const edit: Searched['edit'] = ({ number }, body) =>
    must(request('PATCH', `/repos/${open}/issues/${number}`, { as: alice, body }))
  await edit(second, { body: `hi @${carol}` })
  await post(`issues/${second.number}/comments`, { body: `@${alice} look` }, bob)
  await post(`pulls/${pull.number}/requested_reviewers`, { reviewers: [bob] })
  const search: Searched['search'] = (query = '', asking = {}) =>
    call(SEARCH, 'GET', `/repos/issues/search?q=${word}${query}`, { as: alice, ...asking })
  await until(async () => idsIn(await search()).length >= 4)
  return { label, milestone, first, second, pull, search, edit }
}

async function askAboutResults({ demand }: Audit, { carol }: Stage, searched: Searched): Promise<void> {
  const { first, search, edit } = searched
  await demand(SEARCH, 'The search gives issues with every field.', async () => {
    const answer = await search()
    return allOf(
      hasStatus(answer, 200),
      isJson(answer),
      fitsAll('Issue', answer.json),
      equals(answer.json.length, 4),
    )
  })
  await demand(SEARCH, 'The search lists only what the caller can access.', async () => {
    const { json } = await search('', { as: carol })
    return equals(
      json.map((it: Json) => it.repository.name),
      ['open', 'open', 'open'],
    )
  })
  await demand(SEARCH, 'A caller without credentials finds public issues only.', async () => {
    const answer = await search('', { as: null })
    return allOf(hasStatus(answer, 200), equals(answer.json.length, 3))
  })
  await demand(SEARCH, 'state selects open, closed or all issues.', async () => {
    await edit(first, { state: 'closed' })
    const [closed, open] = [await search('&state=closed'), await search('&state=open')]
    const all = await search('&state=all')
    await edit(first, { state: 'open' })
    return equals([idsIn(closed), open.json.length, all.json.length], [[first.id], 3, 4])
  })
  await demand(SEARCH, 'type selects issues or pull requests.', async () => {
    const [issues, pulls] = [await search('&type=issues'), await search('&type=pulls')]
    return allOf(
      equals([issues.json.length, pulls.json.length], [3, 1]),
      holds(pulls.json[0]?.pull_request, 'pull_request is empty'),
    )
  })
  await demand(SEARCH, 'The search has pages, a count and links to further pages.', async () => {
    const first = await search('&limit=2&page=1')
    const second = await search('&limit=2&page=2')
    return allOf(
      equals(first.json.length, 2),
      holds(!idsIn(first).some((id) => idsIn(second).includes(id)), 'pages overlap'),
      equals(first.headers['x-total-count'], '4'),
      holds(/rel="next"/.test(String(first.headers.link)), 'Link names no next page'),
    )
  })
}

async function askAboutCaller(audit: Audit, stage: Stage, searched: Searched): Promise<void> {
  const { demand, request, must } = audit
  const { alice, bob, carol } = stage
  const { second, pull, search } = searched
  await demand(SEARCH, 'assigned selects what is assigned to the caller.', async () =>
    equals(idsIn(await search('&assigned=true')), [second.id]),
  )
  await demand(SEARCH, 'created selects what the caller has opened.', async () =>
    equals(idsIn(await search('&created=true', { as: bob })), [second.id]),
  )
  await demand(SEARCH, 'mentioned selects what mentions the caller.', async () =>
    equals(idsIn(await search('&mentioned=true')), [second.id]),
  )
  await demand(SEARCH, 'mentioned finds a mention that was added by an edit.', async () =>
    equals(idsIn(await search('&mentioned=true', { as: carol })), [second.id]),
  )
  await demand(SEARCH, 'review_requested selects what the caller is asked to review.', async () => {
    const { json } = await search('&review_requested=true', { as: bob })
    return equals(
      json.map((it: Json) => it.number),
      [pull.number],
    )
  })
  await demand(SEARCH, 'reviewed selects what the caller has reviewed.', async () => {
    const body = { event: 'COMMENT', body: 'seen' }
    await must(request('POST', `/repos/${alice}/open/pulls/${pull.number}/reviews`, { as: bob, body }))
    const { json } = await search('&reviewed=true', { as: bob })
    return holds(
      json.some((it: Json) => it.number === pull.number),
      'the pull request is missing',
    )
  })
  await demand(SEARCH, 'reviewed selects pull requests only.', async () => {
    const { json } = await search('&reviewed=true', { as: bob })
    return holds(
      json.every((it: Json) => it.pull_request),
      'an issue is shown',
    )
  })
}

async function askAboutFilters({ demand }: Audit, _: Stage, searched: Searched): Promise<void> {
  const { label, milestone, first, search } = searched
  await demand(
    SEARCH,
    'labels selects issues with any of these labels and discards unknown names.',
    async () => equals(idsIn(await search(`&labels=${label},nope-zz`)), [first.id]),
  )
  await demand(SEARCH, 'labels that are all unknown select nothing.', async () =>
    equals(idsIn(await search('&labels=nope-zz')), []),
  )
  await demand(SEARCH, 'milestones selects issues of any of these and discards unknown names.', async () =>
    equals(idsIn(await search(`&milestones=${milestone},nope-zz`)), [first.id]),
  )
  await demand(SEARCH, 'milestones that are all unknown select nothing.', async () =>
    equals(idsIn(await search('&milestones=nope-zz')), []),
  )
  await demand(SEARCH, 'since and before select by the time of the last change.', async () => {
    const late = await search(`&since=${FAR_AHEAD}`)
    const early = await search(`&before=${LONG_AGO}`)
    const all = await search(`&since=${LONG_AGO}&before=${FAR_AHEAD}`)
    return equals([late.json.length, early.json.length, all.json.length], [0, 0, 4])
  })
  await demand(SEARCH, 'A time that cannot be read is refused with a listed kind.', async () => {
    const answer = await search('&since=soon')
    return allOf(hasStatus(answer, 400, 422), hasErrorShape(answer))
  })
  for (const [name, value] of [
    ['state', 'zzz'],
    ['type', 'zzz'],
  ] as const)
    await demand(SEARCH, `A ${name} that is no word of its list is refused with 400.`, async () => {
      const answer = await search(`&${name}=${value}`)
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    })
}

async function askAboutOwners(audit: Audit, stage: Stage, searched: Searched): Promise<void> {
  const { call, demand, suffix } = audit
  const { alice, bob, org, makeIssue } = stage
  const { second, search } = searched
  const ask = (query: string) => call(SEARCH, 'GET', `/repos/issues/search${query}`, { as: alice })
  await demand(SEARCH, 'owner selects issues in repositories of an owner.', async () => {
    const [own, others] = [await search(`&owner=${alice}`), await search(`&owner=${org}`)]
    return equals([own.json.length, others.json.length], [4, 0])
  })
  await demand(SEARCH, 'created_by selects issues that a user has opened.', async () =>
    equals(idsIn(await search(`&created_by=${bob}`)), [second.id]),
  )
  await demand(SEARCH, 'An unknown owner and an unknown creator are refused with a listed kind.', () =>
    each(['?owner=no-such-zz', '?created_by=no-such-zz'], async (query) => {
      const answer = await ask(query)
      // A filter by an unknown user may also find nothing, as D13 says of actors.
      const isEmpty = query.startsWith('?created_by') && answer.status === 200 && answer.json.length === 0
      return isEmpty || allOf(hasStatus(answer, 400, 422), hasErrorShape(answer))
    }),
  )
  await demand(SEARCH, 'A team without an owner is refused with 400.', async () => {
    const answer = await ask('?team=devs')
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  await demand(SEARCH, 'team selects issues in repositories of a team.', async () => {
    await makeIssue(`${org}/main`, `word${suffix} org`, alice)
    const found = await until(async () => (await search(`&owner=${org}&team=devs`)).json.length)
    return equals(found, 1)
  })
  await demand(SEARCH, 'Unicode, quotes, wildcards and long words in q are no server error.', () =>
    each(['%F0%9F%99%82', '%27%22%5C', 'x'.repeat(200), '%25', '%00'], async (word) =>
      hasErrorShape(await ask(`?q=${word}`)),
    ),
  )
}
