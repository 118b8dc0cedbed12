/** Files over the API: read, list, create, update, delete, in one commit or many. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'contents-ann'
  for (const name of [ann, 'contents-writer', 'contents-reader', 'contents-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'empty' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'one', auto_init: true, description: 'Text' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/contents-writer`, { permission: 'write' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/contents-reader`, { permission: 'read' })
  const repo = `/repos/${ann}/one`
  const at = `${repo}/contents`
  const text = (value: string) => Buffer.from(value).toString('base64')
  const put = (step: string, as: string | null, method: string, path: string, body: unknown, extra = {}) =>
    t.call(step, as, method, `${at}/${path}`, { body }, extra)
  const fixed = {
    author: { name: 'A U Thor', email: 'author@example.test' },
    committer: { name: 'C O Mitter', email: 'committer@example.test' },
    dates: { author: '2020-01-01T10:00:00Z', committer: '2020-01-02T10:00:00+02:00' },
  }

  await t.call('contents of an empty repository', ann, 'GET', `/repos/${ann}/empty/contents`)
  await t.call('a file of an empty repository', ann, 'GET', `/repos/${ann}/empty/contents/a.txt`)
  await t.call('the first file of an empty repository', ann, 'POST', `/repos/${ann}/empty/contents/a.txt`, {
    body: { content: text('first'), ...fixed },
  })
  await put('a file with the least', ann, 'POST', 'small.txt', { content: text('small\n') })
  const full = await put('a file with everything', ann, 'POST', 'dir/full.txt', {
    content: text('full\n'),
    message: 'Add full\n\nWith a body',
    branch: 'main',
    signoff: true,
    ...fixed,
  })
  await put('a file on a new branch', ann, 'POST', 'side.txt', {
    content: text('side\n'),
    branch: 'main',
    new_branch: 'side',
    message: 'On the side',
  })
  await put('a file on a new branch that is taken', ann, 'POST', 'side2.txt', {
    content: text('side\n'),
    branch: 'main',
    new_branch: 'side',
  })
  await put('a file on a missing branch', ann, 'POST', 'x.txt', { content: text('x'), branch: 'missing' })
  await put('a file that is there', ann, 'POST', 'small.txt', { content: text('again') })
  await put('a file below a file', ann, 'POST', 'small.txt/x.txt', { content: text('x') })
  await put('a file with broken content', ann, 'POST', 'x.txt', { content: '***' })
  await put('a file without content', ann, 'POST', 'empty.txt', { message: 'Nothing in it' })
  await put('a file outside', ann, 'POST', '.git/config', { content: text('x') })
  await put(
    'a file by a writer',
    'contents-writer',
    'POST',
    'writer.txt',
    { content: text('w') },
    { statusOnly: true },
  )
  await put('a file by a reader', 'contents-reader', 'POST', 'x.txt', { content: text('x') })
  await put('a file by a stranger', 'contents-stranger', 'POST', 'x.txt', { content: text('x') })
  await put('a file by nobody', null, 'POST', 'x.txt', { content: text('x') })
  await put('a file with an e-mail address that is none', ann, 'POST', 'x.txt', {
    content: text('x'),
    author: { name: 'x', email: 'nonsense' },
  })

  await put('updated without sha', ann, 'PUT', 'dir/full.txt', { content: text('x') })
  await put('updated with a wrong sha', ann, 'PUT', 'dir/full.txt', {
    content: text('x'),
    sha: 'a'.repeat(40),
  })
  const updated = await put('updated', ann, 'PUT', 'dir/full.txt', {
    content: text('changed\n'),
    sha: full.body.content.sha,
    message: 'Change',
    ...fixed,
  })
  await put('updated with the sha of before', ann, 'PUT', 'dir/full.txt', {
    content: text('x'),
    sha: full.body.content.sha,
  })
  await put('moved', ann, 'PUT', 'dir/moved.txt', {
    content: text('changed\n'),
    sha: updated.body.content.sha,
    from_path: 'dir/full.txt',
    ...fixed,
  })
  await put('a missing file is updated', ann, 'PUT', 'none.txt', { content: text('x'), sha: 'a'.repeat(40) })
  await put('an update without sha creates', ann, 'PUT', 'fresh.txt', { content: text('x') })
  await put('updated by a reader', 'contents-reader', 'PUT', 'small.txt', {
    content: text('x'),
    sha: 'a'.repeat(40),
  })
  const fresh = await t.stage(ann, 'GET', `${at}/fresh.txt`)
  await put('deleted without sha', ann, 'DELETE', 'fresh.txt', {})
  await put('deleted with a wrong sha', ann, 'DELETE', 'fresh.txt', { sha: 'a'.repeat(40) })
  await put('deleted by a reader', 'contents-reader', 'DELETE', 'fresh.txt', { sha: fresh.body.sha })
  await put('deleted by nobody', null, 'DELETE', 'fresh.txt', { sha: fresh.body.sha })
  await put('deleted', ann, 'DELETE', 'fresh.txt', { sha: fresh.body.sha, message: 'Delete fresh', ...fixed })
  await put('deleted twice', ann, 'DELETE', 'fresh.txt', { sha: fresh.body.sha })

  const batch = (step: string, files: unknown, rest = {}, extra = {}) =>
    t.call(step, ann, 'POST', at, { body: { files, message: step, ...fixed, ...rest } }, extra)
  await batch('many changes in one commit', [
    { operation: 'create', path: 'many/a.txt', content: text('a\n') },
    { operation: 'create', path: 'many/b.txt', content: text('b\n') },
    { operation: 'create', path: 'many/c.sh', content: text('c\n') },
  ])
  const a = await t.stage(ann, 'GET', `${at}/many/a.txt`)
  const b = await t.stage(ann, 'GET', `${at}/many/b.txt`)
  await batch('create, update and delete together', [
    { operation: 'create', path: 'many/d.txt', content: text('d\n') },
    { operation: 'update', path: 'many/a.txt', content: text('aa\n'), sha: a.body.sha },
    { operation: 'delete', path: 'many/b.txt', sha: b.body.sha },
  ])
  await batch('one bad change spoils all', [
    { operation: 'create', path: 'many/e.txt', content: text('e') },
    { operation: 'create', path: 'many/d.txt', content: text('d') },
  ])
  await t.call('nothing of it was done', ann, 'GET', `${at}/many/e.txt`)
  await batch(
    'an unknown operation',
    [{ operation: 'nonsense', path: 'x.txt', content: text('x') }],
    {},
    { decision: 'D13', status: 422 },
  )
  await batch('no files', [])
  await batch('a batch on a new branch', [{ operation: 'create', path: 'n.txt', content: text('n') }], {
    new_branch: 'batch',
  })

  await t.call('the root', null, 'GET', at)
  await t.call('the root of a branch', null, 'GET', `${at}?ref=side`)
  await t.call('a folder', null, 'GET', `${at}/many`)
  await t.call('a folder with a slash at the end', null, 'GET', `${at}/many/`)
  await t.call('a file', null, 'GET', `${at}/dir/moved.txt`)
  await t.call('a file on a branch', null, 'GET', `${at}/side.txt?ref=side`)
  await t.call('a file read on a missing branch', null, 'GET', `${at}/side.txt?ref=missing`)
  await t.call('a missing file', null, 'GET', `${at}/missing.txt`)
  await t.call(
    'a file of a hidden repository',
    'contents-stranger',
    'GET',
    `/repos/${ann}/closed/contents/README.md`,
  )
  await t.call(
    'contents in the extended form',
    null,
    'GET',
    `${repo}/contents-ext/dir/moved.txt?includes=file_content,commit_metadata,commit_message`,
  )
  await t.call('contents in the extended form, bare', null, 'GET', `${repo}/contents-ext/many`)
  await t.call('several files at once', null, 'POST', `${repo}/file-contents`, {
    body: { files: ['small.txt', 'missing.txt', 'many/a.txt'] },
  })
  await t.call(
    'several files at once by GET',
    null,
    'GET',
    `${repo}/file-contents?body=${encodeURIComponent('{"files":["small.txt"]}')}`,
  )
  await t.call('raw', null, 'GET', `${repo}/raw/dir/moved.txt`)
  await t.call('raw on a branch', null, 'GET', `${repo}/raw/side.txt?ref=side`)
  await t.call('raw, missing', null, 'GET', `${repo}/raw/none.txt`)
  await t.call('media', null, 'GET', `${repo}/media/dir/moved.txt`)
  await t.call('no editorconfig', null, 'GET', `${repo}/editorconfig/a.txt`)
  await t.stage(ann, 'POST', `${at}/.editorconfig`, {
    content: text('root = true\n[*.txt]\nindent_style = tab\nindent_size = 4\n'),
    message: 'Editor',
  })
  await t.call('editorconfig', null, 'GET', `${repo}/editorconfig/a.txt`)
  await t.call('a patch is applied', ann, 'POST', `${repo}/diffpatch`, {
    body: {
      content:
        'diff --git a/small.txt b/small.txt\n--- a/small.txt\n+++ b/small.txt\n@@ -1 +1 @@\n-small\n+patched\n',
      message: 'Patch',
      ...fixed,
    },
  })
  await t.call(
    'a patch that does not fit',
    ann,
    'POST',
    `${repo}/diffpatch`,
    {
      body: {
        content:
          'diff --git a/small.txt b/small.txt\n--- a/small.txt\n+++ b/small.txt\n@@ -1 +1 @@\n-other\n+patched\n',
      },
    },
    { decision: 'D13', status: 422 },
  )
  await t.stage(ann, 'PATCH', repo, { archived: true })
  await put('a file in an archived repository', ann, 'POST', 'late.txt', { content: text('x') })
}
