/** Questions about editing a pull request. */
import { type Audit, until } from '../kit/audit.ts'
import { type Answer, type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson, isRefused } from '../kit/verdicts.ts'

const EDIT = 'PATCH /repos/{owner}/{repo}/pulls/{index}'
const UNKNOWN_ID = 99_999_999
const WRONG_TYPES = {
  allow_maintainer_edit: 'x',
  assignee: 5,
  assignees: 'x',
  base: 5,
  body: 5,
  content_version: 'x',
  due_date: 'x',
  labels: ['a'],
  milestone: 'x',
  state: 5,
  title: 5,
  unset_due_date: 'x',
}

/** A pull request, and how it is edited and read. */
interface Edited {
  readonly place: string
  readonly edit: (body: unknown, asking?: RequestOptions & { index?: number | string }) => Promise<Answer>
  readonly read: (index?: number) => Promise<Json>
}

/** What a pull request can be given. */
interface Props {
  readonly labels: readonly [number, number]
  readonly milestone: number
}

const idsOf = (list: Json): number[] => list.map((it: Json) => it.id)
const loginsOf = (list: Json): string[] => list.map((it: Json) => it.login)

export async function askAboutPulls(audit: Audit, stage: Stage): Promise<void> {
  const { call, request, must } = audit
  const { alice, org, openPull } = stage
  const place = `${org}/main`
  const add = (what: string, body: object) =>
    must(request('POST', `/repos/${place}/${what}`, { as: alice, body }))
  const { number } = await openPull(place, 'one', alice, { body: 'b' })
  const bug = await add('labels', { name: 'bug', color: '#ff0000' })
  const doc = await add('labels', { name: 'doc', color: '#00ff00' })
  const { id: milestone } = await add('milestones', { title: 'ms' })
  await add('branches', { new_branch_name: 'dev', old_branch_name: 'main' })
  const edited: Edited = {
    place,
    edit: (body, asking = {}) => {
      const path = `/repos/${place}/pulls/${asking.index ?? number}`
      return call(EDIT, 'PATCH', path, sending(alice, asking, body))
    },
    read: async (index = number) =>
      (await request('GET', `/repos/${place}/pulls/${index}`, { as: alice })).json,
  }
  const props: Props = { labels: [bug.id, doc.id], milestone }
  await until(async () => Number.isInteger((await edited.read()).additions))
  await askAboutFields(audit, stage, edited, props)
  await askAboutRemoval(audit, edited, props)
  await askAboutVersions(audit, edited)
  await askAboutRefusals(audit, stage, edited)
  await askAboutMerged(audit, stage, edited)
}

async function askAboutFields(
  audit: Audit,
  stage: Stage,
  { place, edit, read }: Edited,
  props: Props,
): Promise<void> {
  const { demand } = audit
  const { alice, bob, openPull } = stage
  await demand(EDIT, 'The answer is a pull request with every field that is listed.', async () => {
    const answer = await edit({ title: 'T' })
    return allOf(
      hasStatus(answer, 201),
      isJson(answer),
      fits('PullRequest', answer.json),
      fits('PRBranchInfo', answer.json.base),
    )
  })
  await demand(EDIT, 'additions counts lines that are added.', async () =>
    equals((await edit({})).json.additions, 1),
  )
  await demand(EDIT, 'additions is an integer as soon as the pull request is opened.', async () => {
    const { number } = await openPull(place, 'fresh', alice)
    const { json } = await edit({ title: 'now' }, { index: number })
    return holds(Number.isInteger(json.additions), `additions is ${json.additions}`)
  })
  await demand(EDIT, 'All optional fields work together.', async () => {
    const { content_version } = await read()
    const facts = { allow_maintainer_edit: true, body: 'neu 🙂', state: 'open', title: 'Ünï' }
    const [label] = props.labels
    const answer = await edit({
      ...facts,
      assignee: bob,
      assignees: [bob, alice],
      base: 'dev',
      content_version,
      due_date: '2031-02-03T04:05:06Z',
      labels: [label],
      milestone: props.milestone,
    })
    const { assignees, base, due_date, labels, milestone, ...pull } = answer.json
    return allOf(
      hasStatus(answer, 201),
      equals([pull.allow_maintainer_edit, pull.body, pull.state, pull.title], Object.values(facts)),
      equals([loginsOf(assignees).sort(), base.ref], [[alice, bob].sort(), 'dev']),
      equals(
        [due_date?.slice(0, 10), idsOf(labels), milestone?.id],
        ['2031-02-03', [label], props.milestone],
      ),
    )
  })
  await demand(EDIT, 'assignee and assignees make a union, and assignee comes first.', async () => {
    const { assignee, assignees } = (await edit({ assignee: bob, assignees: [alice] })).json
    return equals([assignee?.login, loginsOf(assignees)], [bob, [bob, alice]])
  })
  await demand(EDIT, 'Only the date of due_date is used.', async () => {
    const { json: early } = await edit({ due_date: '2031-02-03T04:05:06Z' })
    const { json: late } = await edit({ due_date: '2031-02-03T20:00:00Z' })
    return equals(early.due_date, late.due_date)
  })
  await demand(EDIT, 'state closes and reopens a pull request.', async () => {
    const { json: closed } = await edit({ state: 'closed' })
    const { json: open } = await edit({ state: 'open' })
    return equals([closed.state, open.state], ['closed', 'open'])
  })
  await demand(EDIT, 'base names another branch, and an unknown one is refused.', async () => {
    const { json } = await edit({ base: 'main' })
    return allOf(equals(json.base.ref, 'main'), isRefused(await edit({ base: 'nope' })))
  })
}

async function askAboutRemoval({ demand }: Audit, { edit, read }: Edited, props: Props): Promise<void> {
  await demand(EDIT, 'unset_due_date removes the date.', async () =>
    equals((await edit({ unset_due_date: true })).json.due_date, null),
  )
  await demand(EDIT, 'unset_due_date false alone is no server error.', async () =>
    hasErrorShape(await edit({ unset_due_date: false })),
  )
  await demand(EDIT, 'labels replaces the labels, and an empty list removes all.', async () => {
    const [, label] = props.labels
    const replaced = await edit({ labels: [label] })
    const removed = await edit({ labels: [] })
    return equals([idsOf(replaced.json.labels), removed.json.labels], [[label], []])
  })
  await demand(EDIT, 'An empty list of assignees removes all.', async () =>
    equals((await edit({ assignees: [] })).json.assignees, []),
  )
  await demand(EDIT, 'The milestone 0 leaves the milestone as it is.', async () => {
    await edit({ milestone: props.milestone })
    return equals((await edit({ milestone: 0 })).json.milestone?.id, props.milestone)
  })
  await demand(EDIT, 'null, an empty object and no body change nothing.', async () => {
    const { title } = await read()
    const names = ['title', 'body', 'assignees', 'labels', 'milestone', 'state', 'due_date', 'base']
    const nulls = await edit(Object.fromEntries(names.map((name) => [name, null])))
    const empty = await edit({})
    const absent = await edit(undefined)
    return allOf(
      hasStatus(nulls, 201),
      hasStatus(empty, 201),
      hasErrorShape(absent),
      equals((await read()).title, title),
    )
  })
  await demand(EDIT, 'All given fields are changed or none.', async () => {
    const { title } = await read()
    await edit({ title: 'half', base: 'nope' })
    return equals((await read()).title, title)
  })
}

async function askAboutVersions({ demand }: Audit, { edit, read }: Edited): Promise<void> {
  await demand(EDIT, 'A wrong content_version is refused with 409.', async () => {
    const { content_version } = await read()
    const answer = await edit({ body: 'x', content_version: content_version + 5 })
    return allOf(hasStatus(answer, 409), hasErrorShape(answer))
  })
  await demand(EDIT, 'A wrong content_version is refused with 409 also without a text.', async () => {
    const { content_version } = await read()
    return hasStatus(await edit({ title: 'x', content_version: content_version + 5 }), 409)
  })
  await demand(EDIT, 'Of ten edits with one content_version, exactly one wins.', async () => {
    const { content_version } = await read()
    const edits = Array.from({ length: 10 }, (_, i) => edit({ body: `r${i}`, content_version }))
    const statuses = (await Promise.all(edits)).map(({ status }) => status)
    return equals(statuses.sort(), [201, ...Array.from({ length: 9 }, () => 409)])
  })
}

async function askAboutRefusals(
  { demand }: Audit,
  stage: Stage,
  { place, edit, read }: Edited,
): Promise<void> {
  const { alice, carol, makeIssue } = stage
  for (const [name, value] of Object.entries(WRONG_TYPES))
    await demand(EDIT, `A wrong type of ${name} is refused.`, async () =>
      isRefused(await edit({ [name]: value })),
    )
  await demand(EDIT, 'Unknown labels are dropped.', async () => {
    const answer = await edit({ labels: [UNKNOWN_ID] })
    return allOf(hasStatus(answer, 201), equals((await read()).labels, []))
  })
  await demand(EDIT, 'An unknown assignee, milestone or state is refused with 422.', () =>
    each([{ assignees: ['no-such-zz'] }, { milestone: UNKNOWN_ID }, { state: 'zzz' }], async (body) => {
      const answer = await edit(body)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(
    EDIT,
    'A caller without credentials is unauthorized, a stranger is forbidden, and what is no pull request is not found.',
    async () => {
      const issue = await makeIssue(place, 'i', alice)
      const nobody = await edit({}, { as: null })
      const stranger = await edit({ title: 'x' }, { as: carol })
      const unknown = [999_999, issue.number, 'abc']
      return allOf(
        hasStatus(nobody, 401),
        hasErrorShape(nobody),
        hasStatus(stranger, 403),
        hasErrorShape(stranger),
        await each(unknown, async (index) => {
          const answer = await edit({ title: 'x' }, { index })
          return allOf(hasStatus(answer, 404), hasErrorShape(answer))
        }),
      )
    },
  )
}

async function askAboutMerged(
  { demand, request }: Audit,
  stage: Stage,
  { place, edit, read }: Edited,
): Promise<void> {
  const { alice, openPull } = stage
  await demand(EDIT, 'A merged pull request keeps its state, and its title can be edited.', async () => {
    const { number } = await openPull(place, 'merge-me', alice)
    await until(async () => (await read(number)).mergeable)
    const path = `/repos/${place}/pulls/${number}/merge`
    const merged = await request('POST', path, { as: alice, body: { Do: 'merge' } })
    const reopened = await edit({ state: 'open' }, { index: number })
    const renamed = await edit({ title: 'after' }, { index: number })
    return allOf(hasStatus(merged, 200), isRefused(reopened), hasStatus(renamed, 201))
  })
}
