// Repository.
import assert from 'node:assert/strict'
import { anonymous, guest, me, other, owner, refused, repo, test, UNIQUE } from './kit.mjs'

await test('user: createCurrentUserRepo', async () => {
  const { status, data } = await me.user.createCurrentUserRepo({
    name: repo,
    description: 'made by gitea-js',
    auto_init: true,
    default_branch: 'main',
    readme: 'Default',
  })
  assert.equal(status, 201)
  assert.equal(data.full_name, `${owner}/${repo}`)
  assert.deepEqual(data.permissions, { admin: true, push: true, pull: true })
})
await test('user: createCurrentUserRepo refuses a taken name', () =>
  refused(409, () => me.user.createCurrentUserRepo({ name: repo })))
await test('repos: repoGet', async () => {
  const { data } = await anonymous.repos.repoGet(owner, repo)
  assert.equal(data.owner.login, owner)
  assert.equal(data.empty, false)
  const { data: byId } = await me.repositories.repoGetById(data.id)
  assert.equal(byId.name, repo)
})
await test('repos: repoGet of an absent repository', () =>
  refused(404, () => me.repos.repoGet(owner, `no${UNIQUE}`)))
await test('repos: repoEdit', async () => {
  const { data } = await me.repos.repoEdit(owner, repo, {
    description: 'edited',
    has_wiki: true,
    website: 'https://example.test',
  })
  assert.equal(data.description, 'edited')
})
await test('repos: repoSearch', async () => {
  const { data } = await me.repos.repoSearch({ q: repo })
  assert.equal(data.ok, true)
  assert.deepEqual(
    data.data.map((one) => one.name),
    [repo],
  )
})
await test('user: userCurrentListRepos', async () => {
  assert.deepEqual(
    (await me.user.userCurrentListRepos()).data.map((one) => one.name),
    [repo],
  )
})
await test('repos: topics', async () => {
  assert.equal((await me.repos.repoUpdateTopics(owner, repo, { topics: ['forge', 'git'] })).status, 204)
  assert.equal((await me.repos.repoAddTopic(owner, repo, `t${UNIQUE}`)).status, 204)
  assert.equal((await me.repos.repoListTopics(owner, repo)).data.topics.length, 3)
  assert.equal((await me.topics.topicSearch({ q: `t${UNIQUE}` })).data.topics.length, 1)
  assert.equal((await me.repos.repoDeleteTopic(owner, repo, 'git')).status, 204)
})
await test('repos: collaborators and permissions', async () => {
  assert.equal((await me.repos.repoAddCollaborator(owner, repo, guest, { permission: 'write' })).status, 204)
  assert.equal((await me.repos.repoCheckCollaborator(owner, repo, guest)).status, 204)
  assert.equal((await me.repos.repoGetRepoPermissions(owner, repo, guest)).data.permission, 'write')
  assert.deepEqual(
    (await me.repos.repoListCollaborators(owner, repo)).data.map((one) => one.login),
    [guest],
  )
})
await test('stars: put, check, list, stargazers, delete', async () => {
  assert.equal((await other.user.userCurrentPutStar(owner, repo)).status, 204)
  assert.equal((await other.user.userCurrentCheckStarring(owner, repo)).status, 204)
  assert.deepEqual(
    (await other.user.userCurrentListStarred()).data.map((one) => one.name),
    [repo],
  )
  assert.deepEqual(
    (await me.repos.repoListStargazers(owner, repo)).data.map((one) => one.login),
    [guest],
  )
  assert.equal((await other.user.userCurrentDeleteStar(owner, repo)).status, 204)
  await refused(404, () => other.user.userCurrentCheckStarring(owner, repo))
})
await test('watching: put, check, subscribers', async () => {
  assert.equal((await other.repos.userCurrentPutSubscription(owner, repo)).data.subscribed, true)
  assert.equal((await other.repos.userCurrentCheckSubscription(owner, repo)).data.subscribed, true)
  assert.ok((await me.repos.repoListSubscribers(owner, repo)).data.some((one) => one.login === guest))
})
