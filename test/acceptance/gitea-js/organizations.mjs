// Organisations, forks, teams.
import assert from 'node:assert/strict'
import { anonymous, guest, me, org, other, owner, repo, test, UNIQUE } from './kit.mjs'

await test('orgs: create, get, edit', async () => {
  const { status } = await me.orgs.orgCreate({ username: org, full_name: 'An Org', visibility: 'public' })
  assert.equal(status, 201)
  assert.equal((await me.orgs.orgGet(org)).data.full_name, 'An Org')
  assert.equal((await me.orgs.orgEdit(org, { description: 'edited' })).data.description, 'edited')
  assert.ok((await me.user.orgListCurrentUserOrgs()).data.some((one) => one.username === org))
})
await test('orgs: repositories and labels', async () => {
  assert.equal((await me.orgs.createOrgRepo(org, { name: 'inside', private: true })).status, 201)
  assert.deepEqual(
    (await me.orgs.orgListRepos(org)).data.map((one) => one.name),
    ['inside'],
  )
  assert.equal((await me.orgs.orgCreateLabel(org, { name: 'wide', color: '#00aabb' })).status, 201)
})
await test('teams: create, member, repository', async () => {
  const { status, data } = await me.orgs.orgCreateTeam(org, {
    name: 'crew',
    permission: 'write',
    units: ['repo.code', 'repo.issues'],
  })
  assert.equal(status, 201)
  assert.equal((await me.teams.orgAddTeamMember(data.id, guest)).status, 204)
  assert.equal((await me.teams.orgAddTeamRepository(data.id, org, 'inside')).status, 204)
  assert.deepEqual(
    (await me.teams.orgListTeamMembers(data.id)).data.map((one) => one.login),
    [guest],
  )
  assert.equal((await other.repos.repoGet(org, 'inside')).data.permissions.push, true)
})
await test('orgs: members', async () => {
  assert.deepEqual(
    (await me.orgs.orgListMembers(org)).data.map((one) => one.login).sort(),
    [guest, owner].sort(),
  )
  assert.equal((await other.orgs.orgPublicizeMember(org, guest)).status, 204)
  assert.deepEqual(
    (await anonymous.orgs.orgListPublicMembers(org)).data.map((one) => one.login),
    [guest],
  )
})
await test('repos: fork and list of forks', async () => {
  const { status, data } = await other.repos.createFork(owner, repo, { name: `fork${UNIQUE}` })
  assert.equal(status, 202)
  assert.equal(data.parent.full_name, `${owner}/${repo}`)
  assert.deepEqual(
    (await me.repos.listForks(owner, repo)).data.map((one) => one.name),
    [`fork${UNIQUE}`],
  )
})
await test('repos: template and generateRepo', async () => {
  await me.repos.repoEdit(owner, repo, { template: true })
  const { status, data } = await me.repos.generateRepo(owner, repo, {
    owner,
    name: `gen${UNIQUE}`,
    git_content: true,
  })
  assert.equal(status, 201)
  assert.equal(data.name, `gen${UNIQUE}`)
})
await test('repos: transfer to the organisation', async () => {
  assert.equal((await me.repos.repoTransfer(owner, `gen${UNIQUE}`, { new_owner: org })).status, 202)
  assert.equal((await me.repos.repoGet(org, `gen${UNIQUE}`)).data.owner.login, org)
})
await test('repos: activity feed', async () => {
  assert.ok((await me.repos.repoListActivityFeeds(owner, repo)).data.length >= 1)
  assert.ok(Array.isArray((await me.users.userGetHeatmapData(owner)).data))
})
