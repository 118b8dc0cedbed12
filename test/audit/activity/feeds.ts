/** Questions about activity feeds. */
import { type Audit, until } from '../kit/audit.ts'
import type { Answer, Json, RequestOptions } from '../kit/client.ts'
import { fits, fitsAll } from '../kit/fits.ts'
import { OP_TYPES } from '../kit/models.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'
import { makeThingsHappen } from './happenings.ts'

const OF_USER = 'GET /users/{username}/activities/feeds'
const OF_REPO = 'GET /repos/{owner}/{repo}/activities/feeds'
const LONG_AGO = '2001-01-01'
const PAGES_MAX = 4

type Feed = (query?: string, asking?: RequestOptions) => Promise<Answer>

export async function askAboutFeeds(audit: Audit, stage: Stage): Promise<void> {
  const { call } = audit
  const { alice } = stage
  const places = await makeThingsHappen(audit, stage)
  const ofRepo: Feed = (query = '', asking = {}) =>
    call(OF_REPO, 'GET', `/repos/${asking.at ?? places[0]}/activities/feeds${query}`, {
      as: alice,
      ...asking,
    })
  const ofUser: Feed = (query = '', asking = {}) =>
    call(OF_USER, 'GET', `/users/${asking.at ?? alice}/activities/feeds${query}`, { as: alice, ...asking })
  await askAboutEvents(audit, stage, ofRepo, places)
  await askAboutRepoFeed(audit, stage, ofRepo)
  await askAboutDates(audit, ofRepo, ofUser)
  await askAboutUserFeed(audit, stage, ofUser)
}

async function askAboutEvents(
  audit: Audit,
  stage: Stage,
  feed: Feed,
  places: readonly string[],
): Promise<void> {
  const { demand, request } = audit
  const wanted = OP_TYPES.split('|')
  const seen = new Set<string>()
  const collect = async (at: string) => {
    for (let page = 1; page <= PAGES_MAX; page++)
      for (const { op_type } of (await feed(`?limit=50&page=${page}`, { at })).json) seen.add(op_type)
  }
  await until(async () => {
    for (const place of places) await collect(place)
    return wanted.every((it) => seen.has(it))
  })
  for (const kind of wanted)
    await demand('Events', `Feeds have activities of the kind ${kind}.`, async () =>
      holds(seen.has(kind), 'no feed has one'),
    )
  await demand('Events', 'Feeds have activities of no other kind.', async () =>
    equals(
      [...seen].filter((it) => !wanted.includes(it)),
      [],
    ),
  )
  await demand('Repository', 'A mirror tells when it was synchronized last.', async () => {
    const { json } = await request('GET', `/repos/${places.at(-1)}`, { as: stage.alice })
    return holds(json.mirror_last_sync_at, `mirror_last_sync_at is ${json.mirror_last_sync_at}`)
  })
}

async function askAboutRepoFeed(audit: Audit, stage: Stage, feed: Feed): Promise<void> {
  const { demand } = audit
  const { alice, carol, makeIssue } = stage
  const list = async () => (await feed('?limit=50')).json as Json[]
  await demand(OF_REPO, 'The feed holds activities with every field.', async () => {
    const answer = await feed('?limit=50')
    return allOf(
      hasStatus(answer, 200),
      isJson(answer),
      fitsAll('Activity', answer.json),
      holds(answer.json.length > 10, `there are ${answer.json.length}`),
    )
  })
  await demand(OF_REPO, 'An activity about a comment has the whole comment.', async () => {
    const activity = (await list()).find((it) => it.op_type === 'comment_issue')
    return allOf(fits('Comment', activity?.comment), equals(activity?.comment_id, activity?.comment.id))
  })
  await demand(OF_REPO, 'ref_name names the branch or the tag.', async () => {
    const activities = await list()
    const nameOf = (kind: string) => activities.find((it) => it.op_type === kind)?.ref_name
    return allOf(
      holds(/v1|r1/.test(nameOf('push_tag')), `a tag: ${nameOf('push_tag')}`),
      holds(/main|b\d/.test(nameOf('commit_repo')), `a branch: ${nameOf('commit_repo')}`),
    )
  })
  await demand(OF_REPO, 'The newest activity comes first.', async () => {
    const times = (await list()).map((it) => Date.parse(it.created))
    return equals(
      times,
      [...times].sort((one, other) => other - one),
    )
  })
  await demand(OF_REPO, 'The feed has pages and a count.', async () => {
    const [first, second] = [await feed('?limit=1&page=1'), await feed('?limit=1&page=2')]
    return allOf(
      equals(first.json.length, 1),
      holds(first.json[0].id !== second.json[0].id, 'both pages show the same'),
      holds(Number(first.headers['x-total-count']) > 10, 'X-Total-Count is too small'),
    )
  })
  await demand(OF_REPO, 'An unknown and a hidden repository are not found.', () =>
    each([{ at: `${alice}/nope` }, { at: `${alice}/hidden`, as: carol }], async (asking) => {
      const answer = await feed('', asking)
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    }),
  )
  await demand(OF_REPO, 'Activities in a private repository are private.', async () => {
    await makeIssue(`${alice}/hidden`, 'p', alice)
    const activities = await until(async () => {
      const { json } = await feed('', { at: `${alice}/hidden` })
      return json.length > 0 ? json : undefined
    })
    return holds(
      activities?.every((it: Json) => it.is_private),
      'one is not private',
    )
  })
}

async function askAboutDates({ demand }: Audit, ofRepo: Feed, ofUser: Feed): Promise<void> {
  const today: string = (await ofRepo('?limit=1')).json[0].created.slice(0, 10)
  await demand(OF_REPO, 'date selects the activities of a day.', async () => {
    const [some, none] = [await ofRepo(`?date=${today}&limit=50`), await ofRepo(`?date=${LONG_AGO}`)]
    return allOf(holds(some.json.length > 10, `there are ${some.json.length}`), equals(none.json, []))
  })
  await demand(OF_REPO, 'A date that cannot be read is no server error.', async () =>
    hasErrorShape(await ofRepo('?date=soon')),
  )
  await demand(OF_REPO, 'A date that cannot be read is refused with 422.', () =>
    each(['soon', '17-11-2026', '2026-02-30', '%00'], async (date) => {
      const answer = await ofRepo(`?date=${date}`)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(OF_USER, 'A date that cannot be read is refused with 422.', async () => {
    const answer = await ofUser('?date=soon')
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await demand(OF_REPO, 'An empty date is the same as none, and a time is read as its day.', () =>
    each(['', `${today}T00:00:00Z`], async (date) => {
      const answer = await ofRepo(`?date=${date}&limit=50`)
      return allOf(hasStatus(answer, 200), holds(answer.json.length > 10, `there are ${answer.json.length}`))
    }),
  )
  await demand(OF_USER, 'date selects the activities of a day, and the feed has pages.', async () => {
    const first = await ofUser(`?date=${today}&limit=1&page=1`)
    const second = await ofUser(`?date=${today}&limit=1&page=2`)
    const none = await ofUser(`?date=${LONG_AGO}`)
    return allOf(
      equals([first.json.length, none.json], [1, []]),
      holds(first.json[0].id !== second.json[0].id, 'both pages show the same'),
    )
  })
}

async function askAboutUserFeed({ demand, request }: Audit, stage: Stage, feed: Feed): Promise<void> {
  const { alice, carol } = stage
  await demand(OF_USER, 'The feed holds activities with every field.', async () => {
    const answer = await feed('?limit=50')
    return allOf(
      hasStatus(answer, 200),
      fitsAll('Activity', answer.json),
      holds(answer.json.length > 10, `there are ${answer.json.length}`),
    )
  })
  await demand(OF_USER, 'only-performed-by selects what the user did.', async () => {
    const { json: own } = await feed('?only-performed-by=true&limit=50')
    const { json: all } = await feed('?limit=50')
    const isOwn = (it: Json) => it.act_user.login === alice
    return allOf(
      holds(own.every(isOwn), 'others are shown'),
      holds(!all.every(isOwn), 'others are not received'),
    )
  })
  await demand(OF_USER, 'user_id is the user who receives the activity.', async () => {
    const { id } = (await request('GET', '/user', { as: alice })).json
    const { json } = await feed('?limit=50')
    return holds(
      json.every((it: Json) => it.user_id === id),
      'another receives one',
    )
  })
  await demand(OF_USER, 'A stranger sees nothing of private repositories.', async () => {
    const answer = await feed('?limit=50', { as: carol })
    const arePublic = answer.json.every((it: Json) => !it.is_private)
    return allOf(hasStatus(answer, 200), holds(arePublic, 'a private one is shown'))
  })
  await demand(OF_USER, 'A caller without credentials gets the feed or is unauthorized.', async () => {
    const answer = await feed('', { as: null })
    return allOf(hasStatus(answer, 200, 401), hasErrorShape(answer))
  })
  await demand(OF_USER, 'An unknown user is not found.', async () => {
    const answer = await feed('', { at: 'no-such-zz' })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
}
