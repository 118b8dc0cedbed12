/** Git objects over the API: refs, trees, blobs, notes; and comparison, archives, languages, licences. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'gitobjects-ann'
  for (const name of [ann, 'gitobjects-bob']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'empty' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', {
    name: 'one',
    auto_init: true,
    license: 'MIT',
    readme: 'Default',
  })
  const repo = `/repos/${ann}/one`
  const text = (value: string) => Buffer.from(value).toString('base64')
  const dated = (date: string) => ({ dates: { author: date, committer: date } })
  await t.stage(ann, 'POST', `${repo}/contents`, {
    message: 'Files',
    files: ['dir/a.txt', 'dir/deep/b.txt', 'src/main.go', 'src/x.py'].map((path) => ({
      operation: 'create',
      path,
      content: text(
        path.endsWith('.go')
          ? 'package main\n\nfunc main() {}\n'
          : path.endsWith('.py')
            ? 'print(1)\n'
            : 'text\n',
      ),
    })),
  })
  await t.stage(ann, 'POST', `${repo}/contents/side.txt`, {
    content: text('side\n'),
    new_branch: 'side',
    message: 'On the side',
    ...dated('2020-01-05T10:00:00Z'),
  })
  await t.stage(ann, 'POST', `${repo}/tags`, { tag_name: 'v1', message: 'One' })
  const main = await t.stage(ann, 'GET', `${repo}/branches/main`)
  const head: string = main.body.commit.id

  await t.call('all refs', null, 'GET', `${repo}/git/refs`)
  await t.call('the branches', null, 'GET', `${repo}/git/refs/heads`)
  await t.call('one ref', null, 'GET', `${repo}/git/refs/heads/main`)
  await t.call('refs by the start of a name', null, 'GET', `${repo}/git/refs/heads/s`)
  await t.call('a missing ref', null, 'GET', `${repo}/git/refs/heads/missing`)
  await t.call('refs of an empty repository', ann, 'GET', `/repos/${ann}/empty/git/refs`)
  await t.call('refs of a hidden repository', 'gitobjects-bob', 'GET', `/repos/${ann}/closed/git/refs`)

  await t.call('the tree of a branch', null, 'GET', `${repo}/git/trees/main`)
  await t.call('the whole tree', null, 'GET', `${repo}/git/trees/${head}?recursive=true`)
  await t.call('the whole tree, first page', null, 'GET', `${repo}/git/trees/${head}?recursive=1&per_page=3`)
  await t.call(
    'the whole tree, second page',
    null,
    'GET',
    `${repo}/git/trees/${head}?recursive=1&per_page=3&page=2`,
  )
  await t.call('a missing tree', null, 'GET', `${repo}/git/trees/${'a'.repeat(40)}`)
  await t.call('a tree by a bad name', null, 'GET', `${repo}/git/trees/nothing`)
  const tree = await t.stage(ann, 'GET', `${repo}/git/trees/${head}?recursive=true`)
  const blob = tree.body.tree.find((entry: any) => entry.path === 'dir/a.txt').sha
  await t.call('a blob', null, 'GET', `${repo}/git/blobs/${blob}`)
  await t.call('a missing blob', null, 'GET', `${repo}/git/blobs/${'a'.repeat(40)}`)
  await t.call('a blob by a text', null, 'GET', `${repo}/git/blobs/nothing`)
  await t.call('no note', null, 'GET', `${repo}/git/notes/${head}`)

  const folder = mkdtempSync(join(tmpdir(), 'objects-'))
  try {
    const identity = {
      GIT_AUTHOR_NAME: 'Ann',
      GIT_AUTHOR_EMAIL: `${ann}@example.test`,
      GIT_COMMITTER_NAME: 'Ann',
      GIT_COMMITTER_EMAIL: `${ann}@example.test`,
      GIT_AUTHOR_DATE: '2020-01-06T10:00:00Z',
      GIT_COMMITTER_DATE: '2020-01-06T10:00:00Z',
    }
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: folder,
        env: { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null' },
        stdio: 'pipe',
      })
    git('clone', '-q', t.remote(ann, `${ann}/one`), '.')
    git('notes', 'add', '-m', 'A note', head)
    git('push', '-q', 'origin', 'refs/notes/commits')
  } finally {
    rmSync(folder, { recursive: true })
  }
  await t.call('a note', null, 'GET', `${repo}/git/notes/${head}`)
  await t.call(
    'a note without files and verification',
    null,
    'GET',
    `${repo}/git/notes/${head}?files=false&verification=false`,
  )
  await t.call('a note of a missing commit', null, 'GET', `${repo}/git/notes/${'a'.repeat(40)}`)

  await t.call('two branches compared', null, 'GET', `${repo}/compare/main...side`)
  await t.call('two branches compared the other way', null, 'GET', `${repo}/compare/side...main`)
  await t.call('compared directly', null, 'GET', `${repo}/compare/main..side`)
  await t.call('a branch and a commit compared', null, 'GET', `${repo}/compare/${head}...side`)
  await t.call('a branch compared with itself', null, 'GET', `${repo}/compare/main...main`)
  await t.call('compared with a missing branch', null, 'GET', `${repo}/compare/main...missing`)
  await t.call('compared without a second name', null, 'GET', `${repo}/compare/side`)
  await t.stage('gitobjects-bob', 'POST', `${repo}/forks`, {})
  await t.stage('gitobjects-bob', 'POST', '/repos/gitobjects-bob/one/contents/fork.txt', {
    content: text('fork\n'),
    message: 'In the fork',
    ...dated('2020-01-07T10:00:00Z'),
  })
  await t.call('compared with a fork', null, 'GET', `${repo}/compare/main...gitobjects-bob:main`)

  for (const kind of ['zip', 'tar.gz', 'bundle'])
    await t.call(
      `an archive as ${kind}`,
      ann,
      'GET',
      `/repos/${ann}/closed/archive/main.${kind}`,
      {},
      { statusOnly: true },
    )
  await t.call('an archive of an unknown kind', null, 'GET', `${repo}/archive/main.rar`)
  await t.call('an archive of a missing branch', null, 'GET', `${repo}/archive/missing.zip`)
  await t.until(ann, `${repo}/languages`, (answer) => Object.keys(answer.body ?? {}).length > 1)
  await t.call('languages', null, 'GET', `${repo}/languages`)
  await t.call('languages of an empty repository', ann, 'GET', `/repos/${ann}/empty/languages`)
  await t.call('licences', null, 'GET', `${repo}/licenses`)
  await t.call('licences of an empty repository', ann, 'GET', `/repos/${ann}/empty/licenses`)
  await t.call('all licence templates', null, 'GET', '/licenses', {}, { statusOnly: true })
  await t.call('a licence template', null, 'GET', '/licenses/MIT', {}, { ignore: ['body', 'implementation'] })
  await t.call('a missing licence template', null, 'GET', '/licenses/nonsense')
  await t.call('all gitignore templates', null, 'GET', '/gitignore/templates', {}, { statusOnly: true })
  await t.call('a gitignore template', null, 'GET', '/gitignore/templates/Go', {}, { ignore: ['source'] })
  await t.call('a missing gitignore template', null, 'GET', '/gitignore/templates/nonsense')
  await t.call('all label sets', null, 'GET', '/label/templates', {}, { unordered: true })
  await t.call('a label set', null, 'GET', '/label/templates/Default')
  await t.call('a missing label set', null, 'GET', '/label/templates/nonsense')
}
