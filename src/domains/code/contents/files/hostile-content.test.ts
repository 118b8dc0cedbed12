/** Content and names that attack clients on clone or extraction: refused over REST as in a push. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Forge, GitClient, startForge } from '#testing'
import { writeIn } from '#testing/slices/contents'

const OPTION_FOR_GIT = '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n'
const HARMLESS = '[submodule "x"]\n\tpath = x\n\turl = https://example.test/x\n'
const base64 = (text: string) => Buffer.from(text).toString('base64')

let forge: Forge
let git: GitClient
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'work', auto_init: true, default_branch: 'main' })
  git = await GitClient.open(forge, 'ann', 'ann/work')
  await git.ok('pull', '--quiet', 'origin', 'main')
})
after(async () => {
  await git[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const write = (path: string, content: string, more = {}) =>
  forge.call('ann', 'POST', `/repos/ann/work/contents/${encodeURIComponent(path)}`, {
    content: base64(content),
    message: 'm',
    ...more,
  })

async function tipOf(branch: string): Promise<string> {
  return (await forge.call('ann', 'GET', `/repos/ann/work/branches/${branch}`)).body.commit.id
}

test('a submodule whose URL is an option is refused in a push and in every REST write', async () => {
  await git.commit('.gitmodules', OPTION_FOR_GIT)
  const pushed = await git.run('push', 'origin', 'HEAD:refs/heads/evil')
  assert.notEqual(pushed.code, 0)
  const before = await tipOf('main')
  const refusals = [
    await write('.gitmodules', OPTION_FOR_GIT),
    await write('.gitmodules', OPTION_FOR_GIT, { new_branch: 'evil' }),
    await forge.call('ann', 'POST', '/repos/ann/work/diffpatch', {
      branch: 'main',
      content: await git.ok('format-patch', '--stdout', '-1'),
      message: 'm',
    }),
  ]
  for (const { status, body } of refusals) assert.equal(status, 422, JSON.stringify(body))
  assert.equal(await tipOf('main'), before)
})

test('a malicious blob under a harmless name cannot be renamed to .gitmodules', async () => {
  assert.equal((await write('plain.txt', OPTION_FOR_GIT)).status, 201)
  const { body } = await forge.call('ann', 'GET', '/repos/ann/work/contents/plain.txt')
  const moved = await forge.call('ann', 'PUT', '/repos/ann/work/contents/.gitmodules', {
    content: base64(OPTION_FOR_GIT),
    from_path: 'plain.txt',
    sha: body.sha,
    message: 'm',
  })
  assert.equal(moved.status, 422)
})

test('a submodule with an ordinary URL is accepted', async () => {
  assert.equal((await write('.gitmodules', HARMLESS, { new_branch: 'modules' })).status, 201)
})

for (const path of ['..\\..\\evil.bat', 'C:evil.bat', 'a/..\\b', '.. /x'])
  test(`a file named ${path} is refused`, async () => {
    assert.equal((await write(path, 'x')).status, 422)
  })

test('a file whose name is unsafe on Windows is left out of zip archives and kept in tar archives', async () => {
  await git.ok('checkout', '--quiet', '--orphan', 'names')
  await git.ok('rm', '--quiet', '-r', '--force', '.')
  for (const path of ['..\\..\\evil.bat', 'dir/C:evil.bat', 'good.txt']) await writeIn(git, path, 'x')
  // Attributes of the repository cannot override this.
  await git.commit('.gitattributes', '* -export-ignore\n*\\\\* -export-ignore\n')
  await git.ok('push', 'origin', 'HEAD:refs/heads/names')
  const archive = async (kind: string) => {
    const answer = await fetch(`${forge.base}/api/v1/repos/ann/work/archive/names.${kind}`)
    assert.equal(answer.status, 200)
    return Buffer.from(await answer.arrayBuffer())
  }
  const zip = await archive('zip')
  assert.ok(zip.includes('work/good.txt'))
  assert.ok(!zip.includes('evil.bat'))
  const tar = gunzipSync(await archive('tar.gz'))
  assert.ok(tar.includes('evil.bat'))
})
