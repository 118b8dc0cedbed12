/** Exports from strangers, and exports that were interrupted: refused in one line, and nothing half made remains. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { searchPath, settingVariable } from '#platform/config'
import { type Forge, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { sharedSettings } from '#testing/settings-beside'
import { grow } from './grow-repository.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const SITE = 'repositories/site'

let folder: string
let forge: Forge
let site: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-hostile-'))
  forge = await startForge()
  await grow(forge)
  await forge.person('eve')
  site = join(folder, 'site')
  const { code, stderr } = await runCommand(forge.world, ['export', 'ann/site', site])
  assert.equal(code, 0, stderr)
})
after(async () => {
  await forge?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** A copy of the export that a stranger changes. */
class Changed {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** With a digest that matches. */
  async write(file: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(this.path, file)), { recursive: true })
    await writeFile(join(this.path, file), content)
    await this.list((lines) => [...lines.filter((it) => it.file !== file), described(file, content)])
  }

  async list(change: (lines: { file: string }[]) => object[]): Promise<void> {
    const text = await readFile(join(this.path, 'files.jsonl'), 'utf8')
    const lines = change(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    await this.listText(lines.map((it) => `${JSON.stringify(it)}\n`).join(''))
  }

  async listText(text: string): Promise<void> {
    await writeFile(join(this.path, 'files.jsonl'), text)
    const { bytes, sha256 } = described('', text)
    await this.manifest((it) => ({ ...it, files: { ...(it.files as object), bytes, sha256 } }))
  }

  async manifest(change: (it: Record<string, unknown>) => object): Promise<void> {
    const path = join(this.path, 'export.json')
    await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')))))
  }

  /** Changes the first record of a file. */
  async edit(file: string, change: (record: Record<string, unknown>) => object): Promise<void> {
    const [first = '{}', ...others] = (await readFile(join(this.path, file), 'utf8')).split('\n')
    await this.write(file, [JSON.stringify(change(JSON.parse(first))), ...others].join('\n'))
  }
}

function described(file: string, content: string | Buffer) {
  return {
    file,
    bytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  }
}

async function leftovers() {
  const count = async (table: 'repository' | 'import_page' | 'issue') =>
    (await forge.db.selectFrom(table).select(forge.db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n
  const running = await forge.db.selectFrom('import').select('id').where('state', '=', 'running').execute()
  return [await count('repository'), await count('import_page'), await count('issue'), running.length]
}

const bundle = join(SITE, 'code.bundle')
const CASES: Record<string, [(it: Changed) => Promise<void>, RegExp]> = {
  'no manifest': [
    (it) => rm(join(it.path, 'export.json')),
    /has no export\.json: it is no export, or one that was/,
  ],
  'a manifest that is no JSON': [
    (it) => writeFile(join(it.path, 'export.json'), '{'),
    /export\.json is no manifest/,
  ],
  'a manifest of a later format': [
    (it) => it.manifest((old) => ({ ...old, format: 2 })),
    /has format 2; this version reads 1/,
  ],
  'a manifest with a name of a folder above': [
    (it) => it.manifest((old) => ({ ...old, repositories: ['../site'] })),
    /export\.json is no manifest/,
  ],
  'a repository called ..': [
    (it) => it.manifest((old) => ({ ...old, repositories: ['..'] })),
    /eve\/\.\.: repository\.json is not of the format/,
  ],
  'a list of files that was changed': [
    (it) => writeFile(join(it.path, 'files.jsonl'), ''),
    /files\.jsonl of the export differs from its digest/,
  ],
  'a file that was changed': [
    (it) => writeFile(join(it.path, SITE, 'issues.jsonl'), '{}\n'),
    /issues\.jsonl of the export differs from its digest/,
  ],
  'a file that is missing': [
    (it) => rm(join(it.path, SITE, 'labels.jsonl')),
    /labels\.jsonl of the export is missing/,
  ],
  'a file above the folder': [
    (it) => it.list((lines) => [...lines, described('../../../etc/passwd', 'x')]),
    /names a file that none has: "\.\.\/\.\.\/\.\.\/etc\/passwd"/,
  ],
  'an absolute path': [
    (it) => it.list((lines) => [...lines, described('/etc/passwd', 'x')]),
    /names a file that none has: "\/etc\/passwd"/,
  ],
  'a folder above as a repository': [
    (it) => it.list((lines) => [...lines, described('repositories/../repository.json', 'x')]),
    /names a file that none has/,
  ],
  'a file twice': [(it) => it.list((lines) => [...lines, ...lines.slice(0, 1)]), /names a file twice/],
  'a symbolic link as a file': [
    async (it) => {
      const path = join(it.path, SITE, 'labels.jsonl')
      await rename(path, join(folder, 'elsewhere.jsonl'))
      await symlink(join(folder, 'elsewhere.jsonl'), path)
    },
    /labels\.jsonl of the export is no plain file/,
  ],
  'a symbolic link as a folder': [
    async (it) => {
      await rename(join(it.path, SITE, 'files'), join(folder, 'elsewhere'))
      await symlink(join(folder, 'elsewhere'), join(it.path, SITE, 'files'))
    },
    /files\/.* of the export is no plain file/,
  ],
  'a folder as a file': [
    async (it) => {
      await rm(join(it.path, SITE, 'labels.jsonl'))
      await mkdir(join(it.path, SITE, 'labels.jsonl'))
    },
    /labels\.jsonl of the export is no plain file/,
  ],
  'a line that is too long': [
    (it) => it.write(`${SITE}/issues.jsonl`, Buffer.alloc(65 * 1024 * 1024, 0x20)),
    /issues\.jsonl of the export has a line that is too long/,
  ],
  'a line without an end': [
    (it) => it.write(`${SITE}/labels.jsonl`, '{"name":"bug"}'),
    /labels\.jsonl of the export ends within a line/,
  ],
  'JSON that is nested too deeply': [
    (it) => it.write(`${SITE}/labels.jsonl`, `${'['.repeat(100_000)}\n`),
    /labels\.jsonl of the export has a record that is nested too deeply/,
  ],
  'JSON with too many values': [
    (it) => it.write(`${SITE}/labels.jsonl`, `{"a":[${'1,'.repeat(1_100_000)}1]}\n`),
    /labels\.jsonl of the export has a line that is no JSON, or too much of it/,
  ],
  'a record of another shape': [
    (it) => it.edit(`${SITE}/issues.jsonl`, (old) => ({ ...old, number: -1 })),
    /issues\.jsonl has a record that is not of the format/,
  ],
  'a repository record with another name': [
    (it) => it.edit(`${SITE}/repository.json`, (old) => ({ ...old, name: 'other' })),
    /repository\.json names another repository/,
  ],
  'settings that the API refuses': [
    (it) => it.edit(`${SITE}/repository.json`, (old) => ({ ...old, default_merge_style: 'x'.repeat(5000) })),
    /^error: eve\/site: /,
  ],
  'a protection that the API refuses': [
    (it) => it.edit(`${SITE}/branch_protections.jsonl`, (old) => ({ ...old, rule_name: 'x'.repeat(5000) })),
    /^error: eve\/site: /,
  ],
  'a bundle that is none': [(it) => it.write(bundle, 'no bundle'), /file is no git bundle/],
  'a bundle that is the address of a repository here': [
    (it) => it.write(bundle, `gitdir: ${process.cwd()}/.git\n`),
    /file is no git bundle/,
  ],
  'a bundle that ends early': [
    async (it) => it.write(bundle, (await readFile(join(it.path, bundle))).subarray(0, -2000)),
    /git bundle cannot be read/,
  ],
  'a bundle with a header only': [
    (it) => it.write(bundle, `# v2 git bundle\n${'1'.repeat(40)} refs/heads/main\n\n`),
    /git bundle cannot be read/,
  ],
  'a bundle that needs commits it does not have': [
    async (it) => it.write(bundle, await thinBundle()),
    /git bundle cannot be read/,
  ],
  'a bundle with an object that fsck refuses': [
    async (it) => it.write(bundle, await brokenBundle()),
    /^error: eve\/site: git refuses an object of the bundle: .*hasDotgit/,
  ],
  'a reaction of another shape': [
    (it) => it.edit(`${SITE}/issues.jsonl`, (old) => ({ ...old, reactions: [{ user: 'ann' }] })),
    /issues\.jsonl has a record that is not of the format/,
  ],
  'more reactions than a record may have': [
    (it) =>
      it.edit(`${SITE}/issues.jsonl`, (old) => ({
        ...old,
        reactions: Array.from({ length: 1001 }, () => ({ user: { login: 'ann' }, content: 'eyes' })),
      })),
    /issues\.jsonl has a record that is not of the format/,
  ],
  'a tracked time that is no number': [
    (it) => it.edit(`${SITE}/times.jsonl`, (old) => ({ ...old, time: '1h' })),
    /times\.jsonl has a record that is not of the format/,
  ],
  'a dependency of another shape': [
    (it) => it.edit(`${SITE}/dependencies.jsonl`, (old) => ({ ...old, blocker: 4 })),
    /^error: dependencies\.jsonl of the export has a record that is not of the format/,
  ],
  'a dependency on a repository elsewhere': [
    (it) =>
      it.edit(`${SITE}/dependencies.jsonl`, (old) => ({ ...old, blocker: { repository: '..', number: 1 } })),
    /^error: dependencies\.jsonl of the export names a repository that it does not have/,
  ],
  'dependencies in a circle': [
    (it) => it.write(`${SITE}/dependencies.jsonl`, dependencies([1, 3], [3, 4], [4, 1])),
    /^error: dependencies\.jsonl of the export has a circle/,
  ],
  'an issue that blocks itself': [
    (it) => it.write(`${SITE}/dependencies.jsonl`, dependencies([1, 1])),
    /^error: dependencies\.jsonl of the export has a circle/,
  ],
  'too many dependencies of an issue': [
    (it) =>
      it.write(
        `${SITE}/dependencies.jsonl`,
        dependencies(...Array.from({ length: 501 }, (_, i) => [1, i + 2] as const)),
      ),
    /^error: dependencies\.jsonl of the export names more than 500 dependencies of an issue/,
  ],
  'a board with too many columns': [
    (it) =>
      it.edit(`${SITE}/projects.jsonl`, (old) => {
        const [column] = old.columns as object[]
        return { ...old, columns: Array.from({ length: 21 }, () => column) }
      }),
    /projects\.jsonl has a record that is not of the format/,
  ],
  'a column with a colour that is none': [
    (it) =>
      it.edit(`${SITE}/projects.jsonl`, (old) => ({
        ...old,
        columns: (old.columns as object[]).map((column) => ({ ...column, color: 'red;' })),
      })),
    /projects\.jsonl has a record that is not of the format/,
  ],
  'a card far away': [
    (it) => it.edit(`${SITE}/cards.jsonl`, (old) => ({ ...old, sorting: 1e18 })),
    /cards\.jsonl has a record that is not of the format/,
  ],
  'an issue on too many boards': [
    async (it) => {
      const [board = ''] = (await readFile(join(it.path, SITE, 'projects.jsonl'), 'utf8')).split('\n')
      const boards = Array.from({ length: 51 }, (_, i) => {
        const copy = JSON.parse(board)
        return JSON.stringify({ ...copy, columns: [{ ...copy.columns[0], id: i + 1 }] })
      })
      const cards = boards.map((_, i) => JSON.stringify({ column: i + 1, number: 1, sorting: 0 }))
      await it.write(`${SITE}/projects.jsonl`, `${boards.join('\n')}\n`)
      await it.write(`${SITE}/cards.jsonl`, `${cards.join('\n')}\n`)
    },
    /^error: eve\/site: issue is in too many projects/,
  ],
  'reviews in another order': [
    async (it) => {
      const path = `${SITE}/reviews.jsonl`
      const [one, two] = (await readFile(join(it.path, path), 'utf8')).split('\n')
      const far = JSON.stringify({ ...JSON.parse(one ?? ''), number: 999 })
      await it.write(path, `${far}\n${two}\n`)
    },
    /reviews are not in the order of their pull requests/,
  ],
}

/** Pairs of an issue and its blocker. */
function dependencies(...pairs: (readonly [number, number])[]): string {
  const lines = pairs.map(([number, blocker]) => ({
    number,
    blocker: { repository: 'site', number: blocker },
  }))
  return lines.map((it) => `${JSON.stringify(it)}\n`).join('')
}

async function inRepository(
  work: (git: (...words: string[]) => Promise<string>, at: string) => Promise<void>,
) {
  const at = await mkdtemp(join(folder, 'git-'))
  const identity = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.test']
  const git = async (...words: string[]) =>
    (await promisify(execFile)('git', [...identity, ...words], { cwd: at })).stdout.trim()
  await git('init', '--quiet', '--initial-branch=main')
  await work(git, at)
  return readFile(join(at, 'made.bundle'))
}

const thinBundle = () =>
  inRepository(async (git) => {
    await git('commit', '--quiet', '--allow-empty', '--message', 'one')
    await git('commit', '--quiet', '--allow-empty', '--message', 'two')
    await git('bundle', 'create', '--quiet', 'made.bundle', 'HEAD~1..main')
  })

/** A tree with an entry called `.git`. */
const brokenBundle = () =>
  inRepository(async (git, at) => {
    await writeFile(join(at, 'blob'), 'x')
    const blob = await git('hash-object', '-w', 'blob')
    const raw = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
    await writeFile(join(at, 'tree'), raw)
    const tree = await git('hash-object', '-t', 'tree', '-w', '--literally', 'tree')
    const commit = await git('commit-tree', '-m', 'broken', tree)
    await git('update-ref', 'refs/heads/main', commit)
    await git('bundle', 'create', '--quiet', 'made.bundle', 'main')
  })

for (const [what, [change, line]] of Object.entries(CASES))
  test(`${what} is refused in one line`, async () => {
    const path = await mkdtemp(join(folder, 'changed-'))
    await cp(site, path, { recursive: true })
    await change(new Changed(path))
    const before = await leftovers()
    const { code, stdout, stderr } = await runCommand(forge.world, ['import', path, '--into', 'eve'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr.trimEnd(), line)
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
    assert.deepEqual(await leftovers(), before)
    await rm(path, { recursive: true })
  })

for (const [what, words, line] of [
  [
    'a name that is taken',
    [],
    /^error: ann\/site: repository with the same name already exists \(name site\)$/,
  ],
  ['an owner who does not exist', ['--into', 'nobody'], /^error: user nobody does not exist$/],
  [
    'a person who does not exist',
    ['--into', 'eve', '--as', 'bob=nobody'],
    /^error: user nobody does not exist$/,
  ],
  ['a pair that is none', ['--into', 'eve', '--as', 'bob'], /^error: --as bob: must be OLD=NEW, two logins$/],
  [
    'a creator who does not own the owner',
    ['--into', 'eve', '--by', 'ann'],
    /^error: eve\/site: given user is not an organization$/,
  ],
] as const)
  test(`${what} is refused in one line`, async () => {
    const before = await leftovers()
    const { code, stderr } = await runCommand(forge.world, ['import', site, ...words])
    assert.equal(code, 1)
    assert.match(stderr.trimEnd(), line)
    assert.deepEqual(await leftovers(), before)
  })

test('an export of before has no reactions, times, dependencies and boards', async () => {
  const path = join(folder, 'before')
  await cp(site, path, { recursive: true })
  const changed = new Changed(path)
  for (const kind of ['times', 'dependencies', 'projects', 'cards']) {
    await rm(join(path, SITE, `${kind}.jsonl`))
    await changed.list((lines) => lines.filter(({ file }) => file !== `${SITE}/${kind}.jsonl`))
  }
  for (const kind of ['issues', 'comments']) {
    const text = await readFile(join(path, SITE, `${kind}.jsonl`), 'utf8')
    const lines = text.trimEnd().split('\n')
    const without = lines.map((line) => JSON.stringify({ ...JSON.parse(line), reactions: undefined }))
    await changed.write(`${SITE}/${kind}.jsonl`, `${without.join('\n')}\n`)
  }
  const { code, stdout, stderr } = await runCommand(forge.world, ['import', path, '--into', 'bob'])
  assert.deepEqual([code, stdout], [0, '{"repository":"bob/site"}\n'], stderr)
  assert.equal((await forge.call('bob', 'GET', '/repos/bob/site/issues/1')).body.title, 'First')
})

test('an organization needs a person who creates its repositories', async () => {
  assert.equal((await forge.call('eve', 'POST', '/orgs', { username: 'team' })).status, 201)
  const refused = await runCommand(forge.world, ['import', site, '--into', 'team'])
  assert.match(
    refused.stderr,
    /^error: team is no person: add --by with the login of one who creates the repositories\n$/,
  )
  const { code, stdout, stderr } = await runCommand(forge.world, [
    'import',
    site,
    '--into',
    'team',
    '--by',
    'eve',
  ])
  assert.deepEqual([code, stdout], [0, '{"repository":"team/site"}\n'], stderr)
  assert.equal((await forge.call('eve', 'GET', '/repos/team/site/issues/1')).body.title, 'First')
})

test('an export that was killed on its way is refused', async () => {
  const to = join(folder, 'killed')
  const settings = { ...sharedSettings(forge.world) }
  const environment = Object.entries(settings).map(([name, value]) => [settingVariable(name), String(value)])
  const env = { ...searchPath(), ...Object.fromEntries(environment) }
  const child = spawn(process.execPath, [MAIN, 'export', 'ann/site', to], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  // The list of files is there before anything is exported.
  while ((await stat(join(to, 'files.jsonl')).catch(() => undefined)) === undefined) await sleep(1)
  child.kill('SIGKILL')
  await ended
  assert.equal(await stat(join(to, 'export.json')).catch(() => undefined), undefined)
  const { code, stderr } = await runCommand(forge.world, ['import', to, '--into', 'eve'])
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^error: .*killed has no export\.json: it is no export, or one that was interrupted\n$/,
  )
})
