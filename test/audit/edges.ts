/** Demands on single operations at the edge: repetition, unusual words, invalid Unicode. */
import type { Audit } from './kit/audit.ts'
import type { Stage } from './kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from './kit/verdicts.ts'

const CREATE = 'POST /orgs/{org}/repos'
const SEARCH = 'GET /repos/search'
const COMMITS = 'GET /repos/{owner}/{repo}/commits'
const EDIT_ISSUE = 'PATCH /repos/{owner}/{repo}/issues/{index}'
const MIGRATE = 'POST /repos/migrate'

const WORDS = ['%F0%9F%99%82', 'x'.repeat(200), '%25', '_', '%27', 'a%2Cb', '%00']
const NO_IDS = [
  ...['uid=abc', 'uid=-1', 'uid=9223372036854775807', 'uid=9223372036854775808', 'team_id=-1'],
  ...['team_id=99999999999999999999', 'starredBy=abc', 'priority_owner_id=99999999999999999999'],
]
const NO_COMMITS = [
  ...['sha=-x', 'sha=--all', 'sha=%00', 'sha=..', 'sha=a..b', 'sha=HEAD', `sha=${'a'.repeat(300)}`],
  ...['path=../x', 'path=%00', 'path=%F0%9F%99%82', 'path=:(glob)**', 'not=-x', 'not=nope', 'since=%00'],
]
/** JSON escapes: two lone surrogates, and a pair. */
const SURROGATES = ['\\ud800', 'a\\udfffb', '\\ud83d\\ude42']

export async function askAboutRepetition({ call, demand, request }: Audit, stage: Stage): Promise<void> {
  const { alice, org, makeIssue } = stage
  const open = `/repos/${alice}/open`
  const { number } = await makeIssue(`${alice}/open`, 'a', alice)
  const repeated = [
    [
      'POST /repos/{owner}/{repo}/issues/{index}/comments',
      `${open}/issues/${number}/comments`,
      { body: 'twice' },
    ],
    ['POST /repos/{owner}/{repo}/projects', `${open}/projects`, { title: 'twice' }],
    [EDIT_ISSUE, `${open}/issues/${number}`, { title: 'same', state: 'closed' }],
  ] as const
  for (const [operation, path, body] of repeated)
    await demand(operation, 'The same call succeeds twice.', async () => {
      const ask = () => call(operation, operation.split(' ')[0] ?? '', path, { as: alice, body })
      return allOf(hasStatus(await ask(), 201), hasStatus(await ask(), 201))
    })
  await demand(
    CREATE,
    'A repository that an administrator makes for another is made by the other.',
    async () => {
      const answer = await call(CREATE, 'POST', `/orgs/${org}/repos?sudo=${alice}`, {
        body: { name: 'bysudo' },
      })
      const { json } = await request('GET', `/repos/${org}/bysudo/activities/feeds`, { as: alice })
      return allOf(hasStatus(answer, 201), equals(json[0]?.act_user.login ?? alice, alice))
    },
  )
  await demand(CREATE, 'A site administrator outside the organization makes a repository.', async () =>
    hasStatus(await call(CREATE, 'POST', `/orgs/${org}/repos`, { body: { name: 'byadmin' } }), 201),
  )
}

export async function askAboutOddWords({ call, demand }: Audit, stage: Stage): Promise<void> {
  const { alice, carol, hidden } = stage
  const search = (query: string, as = alice) => call(SEARCH, 'GET', `/repos/search?${query}`, { as })
  const commits = (query: string) =>
    call(COMMITS, 'GET', `/repos/${alice}/open/commits?${query}`, { as: alice })
  await demand(SEARCH, 'Keywords in Unicode, with wildcards or of 200 characters are no server error.', () =>
    each(WORDS, async (word) => hasErrorShape(await search(`q=${word}`))),
  )
  await demand(SEARCH, 'Ids that are no ids are no server error.', () =>
    each(NO_IDS, async (query) => hasErrorShape(await search(query))),
  )
  await demand(SEARCH, 'The count gives no hidden repository away.', async () => {
    const { json, headers } = await search(`q=hidden&uid=${hidden.owner.id}`, carol)
    return equals([json.data.length, headers['x-total-count']], [0, '0'])
  })
  await demand(COMMITS, 'Odd starts, paths and times are no server error.', () =>
    each(NO_COMMITS, async (query) => hasErrorShape(await commits(query))),
  )
  await demand(COMMITS, 'An unknown specifier to exclude is not found.', async () => {
    const answer = await commits('not=nope')
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
}

export async function askAboutSurrogates({ call, demand }: Audit, stage: Stage): Promise<void> {
  const { alice, makeIssue } = stage
  const { number } = await makeIssue(`${alice}/open`, 'b', alice)
  const issue = `/repos/${alice}/open/issues/${number}`
  const texts = [
    [EDIT_ISSUE, issue, (text: string) => `{"title":"${text}"}`],
    [EDIT_ISSUE, issue, (text: string) => `{"ref":"${text}"}`],
    [
      MIGRATE,
      '/repos/migrate',
      (text: string) => `{"clone_addr":"http://127.0.0.1:1/x","repo_name":"s","description":"${text}"}`,
    ],
  ] as const
  for (const [operation, path, write] of texts)
    for (const surrogate of SURROGATES)
      await demand(operation, `The body ${write(surrogate)} is no server error.`, async () => {
        const [method = ''] = operation.split(' ')
        const answer = await call(operation, method, path, { as: alice, raw: write(surrogate) })
        return allOf(holds(answer.status < 500, answer.text), hasErrorShape(answer))
      })
}
