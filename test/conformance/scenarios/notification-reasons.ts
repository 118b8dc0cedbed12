/** Every cause of a notification, and causes that create none. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [ann, bob, cat, dan, eve] = [
    'notification-reasons-ann',
    'notification-reasons-bob',
    'notification-reasons-cat',
    'notification-reasons-dan',
    'notification-reasons-eve',
  ]
  for (const name of [ann, bob, cat, dan, eve]) await t.person(name)
  const org = 'notification-reasons-org'
  await t.stage(ann, 'POST', '/orgs', { username: org })
  await t.stage(ann, 'POST', `/orgs/${org}/repos`, { name: 'forge', auto_init: true, default_branch: 'main' })
  const repo = `/repos/${org}/forge`
  const team = (
    await t.stage(ann, 'POST', `/orgs/${org}/teams`, {
      name: 'crew',
      permission: 'write',
      units: ['repo.code', 'repo.issues', 'repo.pulls'],
    })
  ).body.id
  await t.stage(ann, 'PUT', `/teams/${team}/members/${cat}`)
  await t.stage(ann, 'PUT', `/teams/${team}/repos/${org}/forge`)
  // The owner of a repository, and new members of a team that has it, watch it automatically.
  for (const who of [ann, cat]) await t.stage(who, 'DELETE', `${repo}/subscription`)
  const issue = async (as: string, title: string, body = ''): Promise<number> =>
    (await t.stage(as, 'POST', `${repo}/issues`, { title, body })).body.number
  const say = (as: string, number: number, body: string) =>
    t.stage(as, 'POST', `${repo}/issues/${number}/comments`, { body })
  /** Waits for exactly this many new threads of a user, records them, and marks them read. */
  const expect = async (step: string, who: string, count = 1) => {
    await t.until(who, '/notifications/new', (answer) => answer.body.new === count)
    await t.call(step, who, 'GET', '/notifications', {}, { unordered: true })
    await t.stage(who, 'PUT', '/notifications?all=true')
  }

  const mention = await issue(ann, 'mention', `hello @${bob}, @${ann} and @notification-reasons-none`)
  await expect('mentioned in a new issue', bob)
  await say(ann, mention, `@${bob} again`)
  await expect('mentioned in a comment', bob)
  await say(ann, mention, `@${org}/crew please`)
  await expect('mentioned as a member of a team', cat)
  const talk = await issue(bob, 'talk')
  await say(ann, talk, 'an answer')
  await expect('a comment on an own issue', bob)
  await say(bob, talk, 'an answer to the answer')
  await expect('a comment after an own comment', ann)
  await t.stage(ann, 'PATCH', `${repo}/issues/${talk}`, { state: 'closed' })
  await expect('an own issue is closed', bob)
  await t.stage(ann, 'PATCH', `${repo}/issues/${talk}`, { state: 'open' })
  await expect('an own issue is opened again', bob)
  const work = await issue(ann, 'work')
  await t.stage(ann, 'PATCH', `${repo}/issues/${work}`, { assignees: [dan] })
  await expect('assigned', dan)
  await say(ann, work, 'to the one who is assigned')
  await expect('a comment for one who is assigned', dan)
  const subscribed = await issue(ann, 'subscribed')
  await t.stage(eve, 'PUT', `${repo}/issues/${subscribed}/subscriptions/${eve}`)
  await say(ann, subscribed, 'to the one who subscribed')
  await expect('a comment for one who subscribed', eve)
  await t.stage(eve, 'PUT', `${repo}/subscription`)
  await issue(ann, 'watched')
  await expect('a new issue for one who watches', eve)
  await t.stage(eve, 'DELETE', `${repo}/subscription`)

  const pull = async (as: string, branch: string, title = branch): Promise<number> => {
    await t.stage(as, 'POST', `${repo}/contents/${branch}.md`, {
      content: 'bmV3Cg==',
      new_branch: branch,
      branch: 'main',
      message: branch,
    })
    const number = (await t.stage(as, 'POST', `${repo}/pulls`, { title, head: branch, base: 'main' })).body
      .number
    await t.until(as, `${repo}/pulls/${number}`, (answer) => answer.body.mergeable === true)
    return number
  }
  const asked = await pull(ann, 'asked')
  await t.stage(ann, 'POST', `${repo}/pulls/${asked}/requested_reviewers`, { reviewers: [dan] })
  await expect('asked for a review', dan)
  await t.stage(ann, 'POST', `${repo}/pulls/${asked}/requested_reviewers`, { team_reviewers: ['crew'] })
  await expect('asked for a review as a member of a team', cat)
  await t.stage(ann, 'PUT', '/notifications?all=true')
  const reviewed = await pull(cat, 'reviewed')
  await t.stage(ann, 'POST', `${repo}/pulls/${reviewed}/reviews`, { event: 'APPROVED', body: 'good' })
  await expect('an own pull request is approved', cat)
  await t.stage(ann, 'POST', `${repo}/pulls/${reviewed}/reviews`, {
    event: 'REQUEST_CHANGES',
    body: `not so good, @${bob}`,
  })
  await expect('changes to an own pull request are asked for', cat)
  await expect('mentioned in a review', bob)
  await t.stage(ann, 'POST', `${repo}/pulls/${reviewed}/merge`, { Do: 'merge' })
  await expect('an own pull request is merged', cat)

  await t.stage(bob, 'DELETE', `${repo}/issues/${talk}/subscriptions/${bob}`)
  await say(ann, talk, 'to nobody')
  const last = await issue(ann, 'last', `@${bob} @${cat} @${dan} @${eve}`)
  await t.stage(ann, 'PATCH', `${repo}/issues/${last}`, {
    title: 'the last',
    body: `edited @${bob}`,
    due_date: '2031-05-06T00:00:00Z',
  })
  await t.stage(ann, 'PATCH', `${repo}/issues/${last}`, { assignees: [ann] })
  await expect('one who unsubscribed hears only of the mention', bob)
  for (const who of [cat, dan, eve])
    await t.until(who, '/notifications/new', (answer) => answer.body.new === 1)
  await t.call(
    'own actions, labels, titles and dates are no news',
    ann,
    'GET',
    '/notifications',
    {},
    { unordered: true },
  )
}
