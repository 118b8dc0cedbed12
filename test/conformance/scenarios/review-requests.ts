/** Requesting reviews, and cancelling requests. `units` of a team have no order on the reference. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [ann, bob, cat, dan, eve] = [
    'review-requests-ann',
    'review-requests-bob',
    'review-requests-cat',
    'review-requests-dan',
    'review-requests-eve',
  ]
  for (const name of [ann, bob, cat, dan, eve]) await t.person(name)
  const org = 'review-requests-org'
  await t.stage(ann, 'POST', '/orgs', { username: org })
  const make = async (name: string, hidden: boolean): Promise<string> => {
    await t.stage(ann, 'POST', `/orgs/${org}/repos`, {
      name,
      private: hidden,
      auto_init: true,
      default_branch: 'main',
    })
    return `/repos/${org}/${name}`
  }
  const repo = await make('open', false)
  const vault = await make('hidden', true)
  const team = async (name: string, where: string[], members: string[]) => {
    const id = (
      await t.stage(ann, 'POST', `/orgs/${org}/teams`, {
        name,
        permission: 'read',
        units: ['repo.code', 'repo.issues', 'repo.pulls'],
      })
    ).body.id
    for (const one of where) await t.stage(ann, 'PUT', `/teams/${id}/repos/${org}/${one}`)
    for (const member of members) await t.stage(ann, 'PUT', `/teams/${id}/members/${member}`)
  }
  await team('crew', ['open', 'hidden'], [bob])
  await team('bench', [], [dan])
  await t.stage(ann, 'PUT', `${repo}/collaborators/${cat}`, { permission: 'write' })
  const pull = async (where: string, branch: string): Promise<number> => {
    await t.stage(ann, 'POST', `${where}/contents/${branch}.md`, {
      content: 'bmV3Cg==',
      new_branch: branch,
      branch: 'main',
      message: branch,
    })
    const number = (
      await t.stage(ann, 'POST', `${where}/pulls`, { title: branch, head: branch, base: 'main' })
    ).body.number
    await t.until(ann, `${where}/pulls/${number}`, (answer) => answer.body.mergeable === true)
    return number
  }
  const n = await pull(repo, 'topic')
  const hidden = await pull(vault, 'topic')
  const ask = (
    step: string,
    as: string | null,
    body: unknown,
    number: number = n,
    where = repo,
    expectation: Expectation = { ignore: ['units'] },
  ) => t.call(step, as, 'POST', `${where}/pulls/${number}/requested_reviewers`, { body }, expectation)
  const drop = (step: string, as: string | null, body: unknown, number: number = n, where = repo) =>
    t.call(step, as, 'DELETE', `${where}/pulls/${number}/requested_reviewers`, { body })

  await ask('nobody may not ask', null, { reviewers: [bob] })
  await ask('a stranger may not ask', eve, { reviewers: [bob] })
  await ask('the site administrator is not among those who may', 'admin', { reviewers: [bob] })
  await ask('no such pull request', ann, { reviewers: [bob] }, 9999)
  await ask('a stranger does not see the hidden one', eve, { reviewers: [bob] }, hidden, vault)
  await ask('an empty object', ann, {})
  await ask('empty lists', ann, { reviewers: [], team_reviewers: [] })
  await ask('a text instead of a list', ann, { reviewers: bob })
  await ask('an unknown user', ann, { reviewers: [bob, 'review-requests-none'] })
  await ask('an unknown team', ann, { reviewers: [bob], team_reviewers: ['none'] })
  await ask('the author himself', ann, { reviewers: [ann] })
  await ask('an organization', ann, { reviewers: [org] })
  await t.call(
    'nothing was asked so far',
    ann,
    'GET',
    `${repo}/pulls/${n}`,
    {},
    { ignore: ['units'], unordered: true },
  )
  await ask('a user', ann, { reviewers: [bob] })
  await ask('the same user again', ann, { reviewers: [bob] })
  await ask('a user by e-mail, one by name', ann, { reviewers: [`${cat}@example.test`, dan] }, n, repo, {
    unordered: true,
  })
  await ask('a stranger to the public repository', cat, { reviewers: [eve] })
  await ask('a team', bob, { team_reviewers: ['crew'] })
  await ask('the same team again, in another case', bob, { team_reviewers: ['CREW'] })
  await ask('a team without access to the public repository', ann, { team_reviewers: ['bench'] })
  await ask('a user who cannot see the hidden repository', ann, { reviewers: [eve] }, hidden, vault)
  await ask(
    'a team without access to the hidden repository',
    ann,
    { team_reviewers: ['bench'] },
    hidden,
    vault,
  )
  await ask('a user and a team together', ann, { reviewers: [bob], team_reviewers: ['crew'] }, hidden, vault)
  await t.call(
    'the pull request with those asked',
    ann,
    'GET',
    `${repo}/pulls/${n}`,
    {},
    { ignore: ['units'], unordered: true },
  )
  await t.call(
    'reviews with those asked',
    ann,
    'GET',
    `${repo}/pulls/${n}/reviews`,
    {},
    { ignore: ['units'] },
  )
  await t.call(
    'the timeline of the questions',
    ann,
    'GET',
    `${repo}/issues/${n}/timeline`,
    {},
    { ignore: ['units'] },
  )
  await t.call('who can be asked', ann, 'GET', `${repo}/reviewers`, {}, { unordered: true })

  await drop('nobody may not take it back', null, { reviewers: [bob] })
  await drop('a stranger may not take it back', eve, { reviewers: [bob] })
  await drop('an unknown user to take back', ann, { reviewers: ['review-requests-none'] })
  await drop('no such pull request to take back', ann, { reviewers: [bob] }, 9999)
  await drop('the one who was asked takes it back himself', eve, { reviewers: [eve] })
  await drop('one who was not asked', ann, { reviewers: [eve] })
  await drop('a user and a team are taken back', ann, { reviewers: [dan], team_reviewers: ['bench'] })
  await drop('an empty object to take back', ann, {})
  await t.call(
    'who is still asked',
    ann,
    'GET',
    `${repo}/pulls/${n}`,
    {},
    { ignore: ['units'], unordered: true },
  )

  await t.stage(bob, 'POST', `${repo}/pulls/${n}/reviews`, { event: 'APPROVED', body: 'good' })
  await t.call(
    'after a review the question is gone',
    ann,
    'GET',
    `${repo}/pulls/${n}/reviews`,
    {},
    { ignore: ['units'] },
  )
  await ask('asked again after a review', ann, { reviewers: [bob] })
  await t.call('the reviews after that', ann, 'GET', `${repo}/pulls/${n}/reviews`, {}, { ignore: ['units'] })
  await t.stage(ann, 'PATCH', `${repo}/pulls/${n}`, { state: 'closed' })
  await drop('taken back on a closed pull request', ann, { reviewers: [bob] })
  await ask('a first question on a closed pull request', ann, { reviewers: [dan] })
  await ask('asked again on a closed pull request', ann, { reviewers: [bob] })

  await t.stage(ann, 'POST', '/user/repos', { name: 'own', auto_init: true, default_branch: 'main' })
  const own = `/repos/${ann}/own`
  const alone = await pull(own, 'topic')
  await ask('teams are not heard where the owner is a user', ann, { team_reviewers: ['crew'] }, alone, own)
  await ask('a user where the owner is a user', ann, { reviewers: [bob] }, alone, own)
  await t.stage(ann, 'PATCH', own, { archived: true })
  await ask('an archived repository', ann, { reviewers: [cat] }, alone, own)
}
