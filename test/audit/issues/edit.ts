/** Questions about editing an issue. */
import type { Audit } from '../kit/audit.ts'
import { type Answer, type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'

const EDIT = 'PATCH /repos/{owner}/{repo}/issues/{index}'
const WRONG_TYPES = {
  assignee: 5,
  assignees: 'bob',
  body: 5,
  content_version: 'x',
  due_date: 'soon',
  milestone: 'm',
  projects: 'p',
  ref: 5,
  state: 5,
  title: 5,
  unset_due_date: 'yes',
}
const UNKNOWN_ID = 99_999_999

/** An issue, and how it is edited and read. */
interface Edited {
  readonly number: number
  readonly edit: (body: unknown, asking?: RequestOptions & { number?: number | string }) => Promise<Answer>
  readonly read: () => Promise<Json>
}

/** What an issue can be given. */
interface Props {
  readonly milestone: Json
  readonly projects: readonly [Json, Json]
}

export async function askAboutEditing(audit: Audit, stage: Stage): Promise<void> {
  const { call, request, must } = audit
  const { alice, bob, makeIssue } = stage
  const place = `${alice}/open`
  const add = (what: string, body: object) =>
    must(request('POST', `/repos/${place}/${what}`, { as: alice, body }))
  await must(
    request('PUT', `/repos/${place}/collaborators/${bob}`, { as: alice, body: { permission: 'write' } }),
  )
  const { number } = await makeIssue(place, 'first', alice, { body: 'b0' })
  const milestone = await add('milestones', { title: 'ms', due_on: '2030-01-01T00:00:00Z' })
  const { id } = await add('labels', { name: 'bug', color: '#ff0000', description: 'd' })
  await add(`issues/${number}/labels`, { labels: [id] })
  const projects = [await add('projects', { title: 'P1' }), await add('projects', { title: 'P2' })] as const
  const edited: Edited = {
    number,
    edit: (body, asking = {}) => {
      const path = `/repos/${asking.at ?? place}/issues/${asking.number ?? number}`
      return call(EDIT, 'PATCH', path, sending(alice, asking, body))
    },
    read: async () => (await request('GET', `/repos/${place}/issues/${number}`, { as: alice })).json,
  }
  await askAboutFields(audit, stage, edited, { milestone, projects })
  await askAboutDates(audit, edited)
  await askAboutAssignment(audit, stage, edited, { milestone, projects })
  await askAboutAbsence(audit, edited)
  await askAboutVersions(audit, stage, edited)
  await askAboutRefusals(audit, stage, edited)
  await askAboutOtherPlaces(audit, stage, edited)
}

async function askAboutFields(
  { demand }: Audit,
  { bob }: Stage,
  { edit, read }: Edited,
  { milestone, projects }: Props,
): Promise<void> {
  await demand(EDIT, 'All optional fields work together, and the answer has every field.', async () => {
    const { content_version } = await read()
    const facts = { title: 'Ünï 🙂', body: 'neu', ref: 'refs/heads/main' }
    const more = { assignees: [bob], milestone: milestone.id, projects: [projects[0].id], content_version }
    const answer = await edit({ ...facts, ...more, due_date: '2031-02-03T04:05:06Z' })
    const issue = answer.json
    return allOf(
      hasStatus(answer, 201),
      isJson(answer),
      fits('Issue', issue),
      equals([issue.title, issue.body, issue.ref], Object.values(facts)),
      equals([issue.assignees.map((it: Json) => it.login), issue.assignee?.login], [[bob], bob]),
      equals([issue.milestone.id, issue.projects.map((it: Json) => it.id)], [milestone.id, [projects[0].id]]),
    )
  })
  await demand(EDIT, 'Labels, milestone and projects of an issue are whole records.', async () => {
    const issue = await read()
    return allOf(
      fits('Label', issue.labels[0]),
      fits('Milestone', issue.milestone),
      fits('Project', issue.projects[0]),
    )
  })
  await demand(EDIT, 'pull_request of an issue that is no pull request is null.', async () =>
    equals((await read()).pull_request, null),
  )
}

async function askAboutDates({ demand }: Audit, { edit }: Edited): Promise<void> {
  await demand(EDIT, 'Only the date of due_date is used.', async () => {
    const { json: early } = await edit({ due_date: '2031-02-03T04:05:06Z' })
    const { json: late } = await edit({ due_date: '2031-02-03T23:00:00Z' })
    return allOf(equals(early.due_date.slice(0, 10), '2031-02-03'), equals(early.due_date, late.due_date))
  })
  await demand(EDIT, 'A due_date with an offset keeps its own date.', async () => {
    const { json } = await edit({ due_date: '2031-02-03T23:30:00-05:00' })
    return equals(json.due_date.slice(0, 10), '2031-02-03')
  })
  await demand(EDIT, 'A due_date without a time of day is no server error.', async () =>
    hasErrorShape(await edit({ due_date: '2031-02-03' })),
  )
  await demand(EDIT, 'unset_due_date removes the date.', async () => {
    const answer = await edit({ unset_due_date: true })
    return allOf(hasStatus(answer, 201), equals(answer.json.due_date, null))
  })
}

async function askAboutAssignment(
  { demand }: Audit,
  { alice }: Stage,
  { edit }: Edited,
  { projects }: Props,
): Promise<void> {
  const [one, two] = projects.map(({ id }) => id)
  await demand(EDIT, 'projects replaces the projects of an issue, and an empty list removes all.', () =>
    each([[two], [one, two], []], async (wanted) => {
      const { json } = await edit({ projects: wanted })
      return equals(json.projects.map((it: Json) => it.id).sort(), [...wanted].sort())
    }),
  )
  await demand(EDIT, 'An unknown project is refused with 400.', async () => {
    const answer = await edit({ projects: [UNKNOWN_ID] })
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  await demand(EDIT, 'The deprecated assignee still works.', async () => {
    const answer = await edit({ assignee: alice })
    return allOf(hasStatus(answer, 201), equals(answer.json.assignee.login, alice))
  })
  await demand(EDIT, 'An empty list of assignees removes all.', async () => {
    const { assignees, assignee } = (await edit({ assignees: [] })).json
    return equals([assignees, assignee], [[], null])
  })
  await demand(EDIT, 'The milestone 0 removes the milestone.', async () => {
    const answer = await edit({ milestone: 0 })
    return allOf(hasStatus(answer, 201), equals(answer.json.milestone, null))
  })
  await demand(EDIT, 'state closes and reopens an issue, and closed_at follows.', async () => {
    const { json: closed } = await edit({ state: 'closed' })
    const { json: open } = await edit({ state: 'open' })
    return allOf(
      equals([closed.state, open.state, open.closed_at], ['closed', 'open', null]),
      holds(closed.closed_at, 'closed_at is empty'),
    )
  })
  await demand(EDIT, 'An unknown state is refused with 400.', async () => {
    const answer = await edit({ state: 'zzz' })
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
}

async function askAboutAbsence({ demand }: Audit, { edit, read }: Edited): Promise<void> {
  const factsOf = ({ title, body, state }: Json) => [title, body, state]
  await demand(EDIT, 'An empty object changes nothing.', async () => {
    const before = await read()
    const answer = await edit({})
    return allOf(hasStatus(answer, 201), equals(factsOf(answer.json), factsOf(before)))
  })
  await demand(EDIT, 'A request without a body is no server error.', async () =>
    hasErrorShape(await edit(undefined)),
  )
  await demand(EDIT, 'An empty body empties the text.', async () =>
    equals((await edit({ body: '' })).json.body, ''),
  )
  await demand(EDIT, 'null is the same as an absent field.', async () => {
    const before = await read()
    const absent = [...Object.keys(WRONG_TYPES)].map((name) => [name, null])
    const answer = await edit(Object.fromEntries(absent))
    return allOf(hasStatus(answer, 201), equals(factsOf(answer.json), factsOf(before)))
  })
  await demand(EDIT, 'All given fields are changed or none.', async () => {
    const before = await read()
    await edit({ title: 'half', milestone: UNKNOWN_ID })
    return equals((await read()).title, before.title)
  })
  await demand(EDIT, 'Unknown fields are ignored, and long texts are taken or refused.', async () => {
    const long = await edit({ zzz: 1, body: 'x'.repeat(500_000) })
    const title = await edit({ title: 't'.repeat(5_000) })
    return allOf(hasStatus(long, 201), hasErrorShape(title))
  })
}

async function askAboutVersions(audit: Audit, stage: Stage, { edit, read }: Edited): Promise<void> {
  const { demand, request } = audit
  const { alice, makeIssue } = stage
  await demand(EDIT, 'content_version is an integer that grows with the text.', async () => {
    const before = await read()
    const { content_version } = (await edit({ body: 'v' })).json
    const hasGrown = Number.isInteger(content_version) && content_version > before.content_version
    return holds(hasGrown, `${before.content_version} became ${content_version}`)
  })
  await demand(EDIT, 'A wrong content_version is refused with 409, and nothing changes.', async () => {
    const { content_version, body, title } = await read()
    const answer = await edit({ body: 'lost', title: 'lost', content_version: content_version + 7 })
    const after = await read()
    return allOf(
      hasStatus(answer, 409),
      hasErrorShape(answer),
      equals([after.body, after.title], [body, title]),
    )
  })
  await demand(EDIT, 'A wrong content_version is refused with 409 also without a text.', async () => {
    const { content_version } = await read()
    return hasStatus(await edit({ title: 'other', content_version: content_version + 7 }), 409)
  })
  await demand(EDIT, 'The content_version 0 is a version and not an absent one.', async () => {
    const { number } = await makeIssue(`${alice}/open`, 'cv', alice, { body: 'x' })
    await edit({ body: 'y' }, { number })
    const { json } = await request('GET', `/repos/${alice}/open/issues/${number}`, { as: alice })
    const answer = await edit({ body: 'z', content_version: 0 }, { number })
    return allOf(holds(json.content_version > 0, 'the version did not grow'), hasStatus(answer, 409))
  })
  await demand(EDIT, 'Of ten edits with one content_version, exactly one wins.', async () => {
    const { content_version } = await read()
    const edits = Array.from({ length: 10 }, (_, i) => edit({ body: `race ${i}`, content_version }))
    const answers = await Promise.all(edits)
    const won = answers.filter((it) => it.status === 201)
    const lost = answers.filter((it) => it.status === 409)
    return allOf(equals([won.length, lost.length], [1, 9]), equals((await read()).body, won[0]?.json.body))
  })
}

async function askAboutRefusals({ demand }: Audit, stage: Stage, { edit }: Edited): Promise<void> {
  const { alice, carol } = stage
  await demand(EDIT, 'A stranger is forbidden.', async () => {
    const answer = await edit({ title: 'x' }, { as: carol })
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
  await demand(
    EDIT,
    'Unknown issues, unknown and hidden repositories and other words are not found.',
    async () => {
      const places: readonly (RequestOptions & { number: number | string })[] = [
        { number: 999_999 },
        { number: 1, at: `${alice}/nope` },
        { number: 1, at: `${alice}/hidden`, as: carol },
        ...['abc', '-1', '0', '9223372036854775808'].map((number) => ({ number })),
      ]
      return each(places, async (asking) => {
        const answer = await edit({ title: 'x' }, asking)
        return allOf(hasStatus(answer, 404), hasErrorShape(answer))
      })
    },
  )
  await demand(EDIT, 'unset_due_date false without a date is refused with 400.', async () => {
    const answer = await edit({ unset_due_date: false })
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  await demand(EDIT, 'An unknown assignee and an unknown milestone are refused with 400.', () =>
    each([{ assignees: ['no-such-zz'] }, { milestone: UNKNOWN_ID }], async (body) => {
      const answer = await edit(body)
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    }),
  )
  for (const [name, value] of Object.entries(WRONG_TYPES))
    await demand(EDIT, `A wrong type of ${name} is refused with message and url.`, async () => {
      const answer = await edit({ [name]: value })
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    })
  await demand(EDIT, 'A wrong type is refused with the listed kind 400.', async () =>
    hasStatus(await edit({ title: 5 }), 400),
  )
  await demand(EDIT, 'A caller without credentials is unauthorized.', async () => {
    const answer = await edit({ title: 'x' }, { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
}

async function askAboutOtherPlaces({ demand }: Audit, stage: Stage, { edit }: Edited): Promise<void> {
  const { alice, archivedIssue, openPull } = stage
  await demand(EDIT, 'An issue of an archived repository is refused with 423.', async () => {
    const answer = await edit({ title: 'x' }, { at: `${alice}/old`, number: archivedIssue.number })
    return allOf(hasStatus(answer, 423), hasErrorShape(answer))
  })
  await demand(EDIT, 'A pull request is edited as an issue, and pull_request is there.', async () => {
    const { number } = await openPull(`${alice}/open`, 'p-issue', alice)
    const answer = await edit({ title: 'via issue' }, { number })
    const { pull_request } = answer.json
    return allOf(
      hasStatus(answer, 201),
      fits('PullRequestMeta', pull_request),
      equals([pull_request?.draft, pull_request?.merged], [false, false]),
    )
  })
}
