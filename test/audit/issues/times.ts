/** Questions about tracked time. */
import type { Audit } from '../kit/audit.ts'
import { type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'

const ADD = 'POST /repos/{owner}/{repo}/issues/{index}/times'
const TRACKER = { allow_only_contributors_to_track_time: true, enable_issue_dependencies: true }

export async function askAboutTimes(audit: Audit, stage: Stage): Promise<void> {
  const { call, demand, request, must } = audit
  const { alice, bob, carol, makeIssue } = stage
  const place = `${alice}/open`
  const { number } = await makeIssue(place, 'tracked', alice)
  const add = (body: unknown, asking: RequestOptions & { index?: number | string } = {}) =>
    call(ADD, 'POST', `/repos/${place}/issues/${asking.index ?? number}/times`, sending(alice, asking, body))
  const list = async (): Promise<Json[]> =>
    (await request('GET', `/repos/${place}/issues/${number}/times`, { as: alice })).json
  await demand(ADD, 'A tracked time is answered with every field.', async () => {
    const answer = await add({ time: 3600 })
    const { time, user_name } = answer.json
    return allOf(
      hasStatus(answer, 200),
      fits('TrackedTime', answer.json),
      equals([time, user_name], [3600, alice]),
    )
  })
  await demand(ADD, 'The deprecated ids and the time of creation are there.', async () => {
    const { json } = await add({ time: 1 })
    const areThere = 'issue_id' in json && 'user_id' in json && /^\d{4}-/.test(json.created)
    return holds(areThere, String(Object.keys(json)))
  })
  await demand(ADD, 'created is kept.', async () => {
    const created = '2020-05-06T07:08:09Z'
    const { json } = await add({ time: 60, created })
    const kept = (await list()).find(({ id }) => id === json.id)
    return equals([json.created, kept.created].map(Date.parse), [Date.parse(created), Date.parse(created)])
  })
  await demand(ADD, 'An administrator of the repository books time on another user.', async () => {
    const answer = await add({ time: 60, user_name: bob })
    return allOf(hasStatus(answer, 200), equals(answer.json.user_name, bob))
  })
  await demand(ADD, 'A writer books no time on another user.', async () => {
    const answer = await add({ time: 60, user_name: alice }, { as: bob })
    if (answer.status >= 400) return allOf(hasStatus(answer, 403), hasErrorShape(answer))
    return equals(answer.json.user_name, bob)
  })
  await demand(ADD, 'An unknown user is not found.', async () => {
    const answer = await add({ time: 60, user_name: 'no-such-zz' })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(
    ADD,
    'A time that is absent, zero, negative, huge, a fraction or no number is refused with 400.',
    () =>
      each([undefined, 0, -5, 1.5, 'x', null, 1e30], async (time) => {
        const answer = await add({ time })
        return allOf(hasStatus(answer, 400), hasErrorShape(answer))
      }),
  )
  await demand(ADD, 'The time 0 is refused with the listed kind 400.', async () =>
    hasStatus(await add({ time: 0 }), 400),
  )
  await demand(ADD, 'A negative time is not booked.', async () => {
    const before = (await list()).length
    await add({ time: -99_999 })
    return equals((await list()).length, before)
  })
  await demand(ADD, 'A repository that tracks no time refuses with 400.', async () => {
    const setTracker = (enable_time_tracker: boolean) => {
      const body = { has_issues: true, internal_tracker: { enable_time_tracker, ...TRACKER } }
      return must(request('PATCH', `/repos/${place}`, { as: alice, body }))
    }
    await setTracker(false)
    const answer = await add({ time: 5 })
    await setTracker(true)
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  await demand(ADD, 'A stranger is forbidden.', async () => {
    const answer = await add({ time: 5 }, { as: carol })
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
  await demand(ADD, 'An unknown issue is not found.', () =>
    each([999_999, 'abc'], async (index) => {
      const answer = await add({ time: 5 }, { index })
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    }),
  )
  await demand(ADD, 'A time of creation that cannot be read is refused with 400.', async () => {
    const answer = await add({ time: 5, created: 'soon' })
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  await demand(ADD, 'A caller without credentials is unauthorized.', async () =>
    hasStatus(await add({ time: 5 }, { as: null }), 401),
  )
}
