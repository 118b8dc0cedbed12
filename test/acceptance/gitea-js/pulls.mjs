// Pull requests.
import assert from 'node:assert/strict'
import { label } from './issues.mjs'
import { base64, eventually, guest, json, me, other, owner, refused, repo, test } from './kit.mjs'

await test('pulls: repoCreatePullRequest', async () => {
  await me.repos.repoCreateFile(owner, repo, 'side.txt', {
    content: base64('side\n'),
    message: 'add side',
    branch: 'side',
  })
  const { status, data } = await me.repos.repoCreatePullRequest(owner, repo, {
    title: 'side',
    head: 'side',
    base: 'main',
    body: 'please',
  })
  assert.equal(status, 201)
  assert.equal(data.number, 3)
  assert.deepEqual([data.base.ref, data.head.ref], ['main', 'side'])
})
await test('pulls: list, get, by base and head', async () => {
  assert.deepEqual(
    (await me.repos.repoListPullRequests(owner, repo, { state: 'open' })).data.map((one) => one.number),
    [3],
  )
  assert.equal((await me.repos.repoGetPullRequestByBaseHead(owner, repo, 'main', 'side')).data.number, 3)
})
await test('pulls: commits, files, diff', async () => {
  assert.equal((await me.repos.repoGetPullRequestCommits(owner, repo, 3)).data.length, 1)
  assert.deepEqual(
    (await me.repos.repoGetPullRequestFiles(owner, repo, 3)).data.map(
      (one) => `${one.status} ${one.filename} ${one.additions}`,
    ),
    ['added side.txt 1'],
  )
  const { data } = await me.repos.repoDownloadPullDiffOrPatch(owner, repo, 3, 'patch', {}, { format: 'text' })
  assert.match(data, /Subject: .*add side/)
})
await test('pulls: review requests and reviews', async () => {
  assert.equal(
    (await me.repos.repoCreatePullReviewRequests(owner, repo, 3, { reviewers: [guest] }, json)).status,
    201,
  )
  const { data } = await other.repos.repoCreatePullReview(
    owner,
    repo,
    3,
    {
      event: 'COMMENT',
      body: 'a question',
      comments: [{ path: 'side.txt', new_position: 1, body: 'why?' }],
    },
    json,
  )
  assert.equal(data.state, 'COMMENT')
  assert.deepEqual(
    (await me.repos.repoGetPullReviewComments(owner, repo, 3, data.id)).data.map((one) => one.body),
    ['why?'],
  )
  const { data: approval } = await other.repos.repoCreatePullReview(
    owner,
    repo,
    3,
    { event: 'APPROVED', body: 'fine' },
    json,
  )
  assert.equal(approval.state, 'APPROVED')
  assert.ok((await me.repos.repoListPullReviews(owner, repo, 3)).data.length >= 2)
})
await test('pulls: repoEditPullRequest', async () => {
  const { status, data } = await me.repos.repoEditPullRequest(owner, repo, 3, {
    title: 'side, edited',
    labels: [label],
  })
  assert.equal(status, 201)
  assert.equal(data.title, 'side, edited')
})
await test('pulls: merge', async () => {
  await refused(404, () => me.repos.repoPullRequestIsMerged(owner, repo, 3))
  await eventually(
    () => me.repos.repoGetPullRequest(owner, repo, 3),
    (data) => data.mergeable === true,
  )
  assert.equal(
    (
      await me.repos.repoMergePullRequest(owner, repo, 3, {
        Do: 'merge',
        MergeTitleField: 'merged',
        delete_branch_after_merge: true,
      })
    ).status,
    200,
  )
  assert.equal((await me.repos.repoPullRequestIsMerged(owner, repo, 3)).status, 204)
  const { data } = await me.repos.repoGetPullRequest(owner, repo, 3)
  assert.deepEqual([data.merged, data.state, data.merged_by.login], [true, 'closed', owner])
})
await test('pulls: repoGetCommitPullRequest', async () => {
  const { data } = await me.repos.repoGetPullRequest(owner, repo, 3)
  assert.equal((await me.repos.repoGetCommitPullRequest(owner, repo, data.merge_commit_sha)).data.number, 3)
})
