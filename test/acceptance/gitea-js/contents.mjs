// Contents and git data.
import assert from 'node:assert/strict'
import { base64, me, owner, refused, repo, test } from './kit.mjs'

let sha
await test('repos: repoCreateFile', async () => {
  const { status, data } = await me.repos.repoCreateFile(owner, repo, 'docs/one.txt', {
    content: base64('one\n'),
    message: 'add one',
    branch: 'main',
  })
  assert.equal(status, 201)
  assert.equal(data.content.path, 'docs/one.txt')
  sha = data.content.sha
})
await test('repos: repoGetContents', async () => {
  const { data } = await me.repos.repoGetContents(owner, repo, 'docs/one.txt')
  assert.equal(Buffer.from(data.content, 'base64').toString(), 'one\n')
  assert.equal(data.sha, sha)
})
await test('repos: repoUpdateFile', async () => {
  const { data } = await me.repos.repoUpdateFile(owner, repo, 'docs/one.txt', {
    content: base64('one, changed\n'),
    sha,
    message: 'change one',
  })
  assert.notEqual(data.content.sha, sha)
  await assert.rejects(() =>
    me.repos.repoUpdateFile(owner, repo, 'docs/one.txt', { content: base64('x'), sha, message: 'stale' }),
  )
})
await test('repos: repoChangeFiles', async () => {
  const { status } = await me.repos.repoChangeFiles(owner, repo, {
    message: 'two at once',
    files: [
      { operation: 'create', path: 'two.txt', content: base64('two\n') },
      { operation: 'create', path: 'three.txt', content: base64('three\n') },
    ],
  })
  assert.equal(status, 201)
})
await test('repos: repoGetContentsList', async () => {
  const { data } = await me.repos.repoGetContentsList(owner, repo)
  assert.deepEqual(data.map((one) => `${one.type} ${one.name}`).sort(), [
    'dir docs',
    'file README.md',
    'file three.txt',
    'file two.txt',
  ])
})
await test('repos: repoDeleteFile', async () => {
  const { data } = await me.repos.repoGetContents(owner, repo, 'three.txt')
  assert.equal(
    (await me.repos.repoDeleteFile(owner, repo, 'three.txt', { sha: data.sha, message: 'away' })).status,
    200,
  )
  await refused(404, () => me.repos.repoGetContents(owner, repo, 'three.txt'))
})
await test('repos: repoGetRawFile', async () => {
  const { data } = await me.repos.repoGetRawFile(owner, repo, 'docs/one.txt', undefined, { format: 'text' })
  assert.equal(data, 'one, changed\n')
})
let head
await test('repos: repoGetAllCommits', async () => {
  const { data, headers } = await me.repos.repoGetAllCommits(owner, repo, { limit: 2 })
  assert.equal(data.length, 2)
  assert.equal(headers.get('x-total-count'), '5')
  assert.match(headers.get('link'), /rel="next"/)
  head = data[0].sha
})
await test('repos: repoGetSingleCommit and its diff', async () => {
  const { data } = await me.repos.repoGetSingleCommit(owner, repo, head)
  assert.equal(data.commit.message.trim(), 'away')
  assert.deepEqual(
    data.files.map((one) => `${one.status} ${one.filename}`),
    ['deleted three.txt'],
  )
  const { data: diff } = await me.repos.repoDownloadCommitDiffOrPatch(owner, repo, head, 'diff', {
    format: 'text',
  })
  assert.match(diff, /^diff --git a\/three.txt/)
})
await test('repos: getTree and getBlob', async () => {
  const { data } = await me.repos.getTree(owner, repo, head, { recursive: true })
  const entry = data.tree.find((one) => one.path === 'docs/one.txt')
  const { data: blob } = await me.repos.getBlob(owner, repo, entry.sha)
  assert.equal(Buffer.from(blob.content, 'base64').toString(), 'one, changed\n')
})
await test('repos: branches', async () => {
  assert.equal(
    (await me.repos.repoCreateBranch(owner, repo, { new_branch_name: 'side', old_ref_name: 'main' })).status,
    201,
  )
  assert.equal((await me.repos.repoGetBranch(owner, repo, 'side')).data.commit.id, head)
  assert.deepEqual((await me.repos.repoListBranches(owner, repo)).data.map((one) => one.name).sort(), [
    'main',
    'side',
  ])
})
await test('repos: tags', async () => {
  const { status, data } = await me.repos.repoCreateTag(owner, repo, {
    tag_name: 'v0.1',
    target: 'main',
    message: 'a tag',
  })
  assert.equal(status, 201)
  assert.equal(data.commit.sha, head)
  assert.equal((await me.repos.repoGetTag(owner, repo, 'v0.1')).data.name, 'v0.1')
  assert.equal((await me.repos.getAnnotatedTag(owner, repo, data.id)).data.tag, 'v0.1')
  assert.deepEqual(
    (await me.repos.repoListTags(owner, repo)).data.map((one) => one.name),
    ['v0.1'],
  )
})
await test('repos: repoListAllGitRefs', async () => {
  const { data } = await me.repos.repoListAllGitRefs(owner, repo)
  assert.ok(
    ['refs/heads/main', 'refs/heads/side', 'refs/tags/v0.1'].every((name) =>
      data.some((one) => one.ref === name),
    ),
  )
})
await test('repos: repoCompareDiff', async () => {
  const { data } = await me.repos.repoCompareDiff(owner, repo, 'v0.1...main')
  assert.equal(data.total_commits, 0)
})
await test('repos: commit statuses', async () => {
  const { status } = await me.repos.repoCreateStatus(owner, repo, head, {
    context: 'check',
    state: 'success',
    description: 'fine',
  })
  assert.equal(status, 201)
  const { data } = await me.repos.repoGetCombinedStatusByRef(owner, repo, 'main')
  assert.equal(data.state, 'success')
  assert.equal((await me.repos.repoListStatuses(owner, repo, head)).data.length, 1)
})
await test('repos: branch protection', async () => {
  const { status } = await me.repos.repoCreateBranchProtection(owner, repo, {
    rule_name: 'release/*',
    enable_push: false,
  })
  assert.equal(status, 201)
  assert.deepEqual(
    (await me.repos.repoListBranchProtection(owner, repo)).data.map((one) => one.rule_name),
    ['release/*'],
  )
  assert.equal((await me.repos.repoDeleteBranchProtection(owner, repo, 'release%2F*')).status, 204)
})
await test('repos: tag protection', async () => {
  const { status, data } = await me.repos.repoCreateTagProtection(owner, repo, {
    name_pattern: 'v*',
    whitelist_usernames: [owner],
  })
  assert.equal(status, 201)
  assert.equal((await me.repos.repoGetTagProtection(owner, repo, data.id)).data.name_pattern, 'v*')
  assert.equal((await me.repos.repoDeleteTagProtection(owner, repo, data.id)).status, 204)
})
await test('repos: repoGetLanguages, assignees, reviewers', async () => {
  assert.equal(typeof (await me.repos.repoGetLanguages(owner, repo)).data, 'object')
  assert.ok((await me.repos.repoGetAssignees(owner, repo)).data.some((one) => one.login === owner))
  assert.ok(Array.isArray((await me.repos.repoGetReviewers(owner, repo)).data))
})
