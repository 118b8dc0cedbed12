/** Questions about requesting reviews. */
import { type Audit, until } from '../kit/audit.ts'
import { type Answer, type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits, fitsAll } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'

const ASK = 'POST /repos/{owner}/{repo}/pulls/{index}/requested_reviewers'

type Ask = (body: unknown, asking?: RequestOptions & { index?: number | string }) => Promise<Answer>

export async function askAboutReviewers(audit: Audit, stage: Stage): Promise<void> {
  const { call } = audit
  const { alice, org, openPull } = stage
  const place = `${org}/main`
  const { number } = await openPull(place, 'reviewed', alice)
  const ask: Ask = (body, asking = {}) => {
    const path = `/repos/${asking.at ?? place}/pulls/${asking.index ?? number}/requested_reviewers`
    return call(ASK, 'POST', path, sending(alice, asking, body))
  }
  await askAboutAnswers(audit, stage, ask, number)
  await askAboutRefusals(audit, stage, ask)
  await askAboutReviews(audit, stage)
}

async function askAboutAnswers(audit: Audit, stage: Stage, ask: Ask, number: number): Promise<void> {
  const { demand, request } = audit
  const { alice, bob, org, openPull } = stage
  const place = `${org}/main`
  await demand(ASK, 'Users are asked, and the answer has every field of their reviews.', async () => {
    const answer = await ask({ reviewers: [bob] })
    const asked = answer.json.map((it: Json) => [it.state, it.user?.login])
    return allOf(
      hasStatus(answer, 201),
      fitsAll('PullReview', answer.json),
      equals(asked, [['REQUEST_REVIEW', bob]]),
    )
  })
  await demand(ASK, 'Teams are asked, and the answer names the team.', async () => {
    const answer = await ask({ team_reviewers: ['devs'] })
    const { team } = answer.json[0]
    return allOf(
      hasStatus(answer, 201),
      fitsAll('PullReview', answer.json),
      fits('Team', team),
      equals(team?.name, 'devs'),
    )
  })
  await demand(ASK, 'The team of a review has the field organization, which is null or whole.', async () => {
    const { number: index } = await openPull(place, 'team2', alice)
    const { json } = await ask({ team_reviewers: ['devs'] }, { index })
    const { organization } = json[0].team
    return organization === null || fits('Organization', organization)
  })
  await demand(ASK, 'Users and teams are asked at once.', async () => {
    const { number: index } = await openPull(place, 'both', alice)
    const answer = await ask({ reviewers: [bob], team_reviewers: ['devs'] }, { index })
    return allOf(hasStatus(answer, 201), equals(answer.json.length, 2))
  })
  await demand(ASK, 'A user who is asked twice is asked once.', async () => {
    const answer = await ask({ reviewers: [bob] })
    const { json } = await request('GET', `/repos/${place}/pulls/${number}`, { as: alice })
    const asked = json.requested_reviewers.map((it: Json) => it.login)
    return allOf(hasStatus(answer, 201), equals(asked, [bob]))
  })
  await demand(ASK, 'An empty object asks nobody, and no body is no server error.', async () => {
    const empty = await ask({})
    const absent = await ask(null, { raw: '' })
    return allOf(hasStatus(empty, 201), equals(empty.json, []), hasErrorShape(absent))
  })
  await demand(ASK, 'Reviewers are notified.', async () => {
    const count = await until(
      async () => (await request('GET', '/notifications?all=true', { as: bob })).json.length,
    )
    return holds(count > 0, 'there is no notification')
  })
}

async function askAboutRefusals({ demand }: Audit, stage: Stage, ask: Ask): Promise<void> {
  const { alice, bob, carol, org, openPull } = stage
  await demand(ASK, 'Unknown users, teams, pull requests and repositories are not found.', () =>
    each(
      [
        [{ reviewers: ['no-such-zz'] }, {}],
        [{ team_reviewers: ['no-such-zz'] }, {}],
        [{ reviewers: [bob] }, { index: 999_999 }],
        [{ reviewers: [bob] }, { index: 1, at: `${alice}/nope` }],
        [{}, { index: 'abc' }],
      ] as const,
      async ([body, asking]) => {
        const answer = await ask(body, asking)
        return allOf(hasStatus(answer, 404), hasErrorShape(answer))
      },
    ),
  )
  await demand(ASK, 'The author, an organization and wrong types are refused with 422.', () =>
    each(
      [
        { reviewers: [alice] },
        { reviewers: [org] },
        { reviewers: bob },
        { reviewers: [5] },
        { team_reviewers: 'x' },
        [],
      ],
      async (body) => {
        const answer = await ask(body)
        return allOf(hasStatus(answer, 422), hasErrorShape(answer))
      },
    ),
  )
  await demand(ASK, 'A stranger may not choose reviewers.', async () => {
    const answer = await ask({ reviewers: [bob] }, { as: carol })
    return allOf(hasStatus(answer, 403, 422), hasErrorShape(answer))
  })
  await demand(ASK, 'A site administrator outside the repository may not choose reviewers.', async () => {
    const { number: index } = await openPull(`${org}/main`, 'byadmin', alice)
    const answer = await ask({ reviewers: [bob] }, { index, as: 'admin' })
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await demand(ASK, 'A caller without credentials is unauthorized.', async () => {
    const answer = await ask({ reviewers: [bob] }, { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
}

async function askAboutReviews({ demand, request }: Audit, stage: Stage): Promise<void> {
  const { alice, bob, carol, dave, org, openPull } = stage
  await demand('PullReview', 'A review reaches every state, and its record has every field.', async () => {
    const { number } = await openPull(`${org}/main`, 'states', alice)
    const events = [
      ['APPROVED', bob],
      ['PENDING', carol],
      ['COMMENT', dave],
      ['REQUEST_CHANGES', bob],
    ] as const
    return each(events, async ([event, as]) => {
      const path = `/repos/${org}/main/pulls/${number}/reviews`
      const answer = await request('POST', path, { as, body: { event, body: 'x' } })
      return allOf(hasStatus(answer, 200), fits('PullReview', answer.json), equals(answer.json.state, event))
    })
  })
}
