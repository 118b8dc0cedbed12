/** Git over SSH: a real sshd, the real ssh and the real git. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { kill } from 'node:process'
import { after, before, test } from 'node:test'
import { openDb } from '#platform/db'
import { openLog } from '#platform/log'
import { openPool } from '#platform/pool'
import { type Forge, until } from '#testing'
import { type Ended, run, SshForge } from '#testing/ssh'
import { sshFolder } from './folder.ts'
import { isRoot } from './login-user.ts'

/** Passes on 400 KB and then nothing, until it is killed. */
const LITTLE = '{ dd bs=1k count=400 2>&-; exec sleep 600; }'

let sshd: SshForge
let forge: Forge
let work: string

before(async () => {
  sshd = await SshForge.open()
  forge = sshd.forge
  work = sshd.work
  await forge.person('ann')
  await forge.person('bob')
  await addKey('ann', 'ann')
  await addKey('bob', 'bob')
  for (const [name, isPrivate] of [
    ['open', false],
    ['diary', true],
  ] as const)
    await forge.call('ann', 'POST', '/user/repos', { name, private: isPrivate, default_branch: 'main' })
  await sow('ann', 'open')
})

after(async () => {
  await sshd[Symbol.asyncDispose]()
})

test('a clone contains what was pushed, and a push moves the branch', async () => {
  const { folder, head } = await clone('ann', 'open')
  assert.equal(await sshd.gitOk('ann', ['rev-parse', 'HEAD'], folder), head)
  await writeFile(join(folder, 'second.txt'), 'second\n')
  const pushed = await commit('ann', folder)
  const { stderr } = await sshd.git('ann', ['push', 'origin', 'main'], folder)
  assert.match(stderr, /main -> main/)
  assert.equal(await refOf('ann', 'open', 'refs/heads/main'), pushed)
  const { body } = await forge.call('ann', 'GET', '/repos/ann/open')
  assert.equal(body.empty, false)
})

test('a push has one audit record with the key, and a refused one too', async () => {
  const { folder } = await clone('ann', 'open')
  const outcome = async () => {
    const { rows } = await forge.pool.query(
      'select operation, outcome, problem, account, via, address from audit_record where operation = $1 order by id desc limit 1',
      ['gitReceivePack'],
    )
    return Object.values(rows[0])
  }
  const count = async () => (await forge.pool.query('select from audit_record')).rowCount ?? 0
  const before = await count()
  await writeFile(join(folder, 'audited.txt'), 'audited\n')
  await commit('ann', folder)
  await sshd.gitOk('ann', ['push', 'origin', 'main'], folder)
  assert.deepEqual(await outcome(), ['gitReceivePack', 'done', null, 'ann', 'ssh', '127.0.0.1'])
  const refused = await sshd.git('bob', ['push', 'origin', 'main:bob'], folder)
  assert.notEqual(refused.code, 0)
  assert.deepEqual(await outcome(), ['gitReceivePack', 'refused', 'forbidden', 'bob', 'ssh', '127.0.0.1'])
  assert.equal(await count(), before + 2)
})

test('a read-only user key fetches, but cannot push', async () => {
  const before = await refOf('ann', 'open', 'refs/heads/main')
  await addKey('ann', 'reader', true)
  const { folder } = await clone('reader', 'open')
  await writeFile(join(folder, 'refused.txt'), 'refused\n')
  await commit('ann', folder)
  for (const ref of ['main', 'refs/for/main']) {
    const { code, stderr } = await sshd.git(
      'reader',
      ['push', sshd.urlOf('ann', 'open'), `HEAD:${ref}`],
      folder,
    )
    assert.notEqual(code, 0)
    assert.match(stderr, /the key is read-only/)
  }
  assert.equal(await refOf('ann', 'open', 'refs/heads/main'), before)
})

test('a wiki is pushed and cloned like its repository, also under an old name, with the same access checks', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'draft' })
  await sow('ann', 'draft.wiki')
  await forge.call('ann', 'PATCH', '/repos/ann/draft', { name: 'notes' })
  const { folder, head } = await clone('ann', 'notes.wiki')
  const old = await sshd.git('ann', ['ls-remote', sshd.urlOf('ann', 'draft.wiki'), 'refs/heads/main'], folder)
  assert.equal(old.stdout.slice(0, 40), head)
  assert.match(old.stderr, /ann\/draft was renamed to ann\/notes/)
  const refused = await sshd.git(
    'bob',
    ['push', sshd.urlOf('ann', 'notes.wiki'), 'main:refs/heads/mine'],
    folder,
  )
  assert.notEqual(refused.code, 0)
  const { body } = await forge.call('ann', 'GET', '/repos/ann/notes/wiki/page/readme')
  assert.equal(Buffer.from(body.content_base64, 'base64').toString(), '# draft.wiki\n')
})

for (const version of [0, 1, 2])
  test(`protocol ${version} is used when requested`, async () => {
    const { folder } = await clone('ann', 'open', ['-c', `protocol.version=${version}`])
    await writeFile(join(folder, `protocol-${version}.txt`), `${randomBytes(8).toString('hex')}\n`)
    const head = await commit('ann', folder)
    await sshd.gitOk('ann', ['-c', `protocol.version=${version}`, 'push', 'origin', 'main'], folder)
    const trace = join(work, `packets-${version}`)
    const other = await mkdtemp(join(work, 'fetch-'))
    await sshd.gitOk(
      'ann',
      ['-c', `protocol.version=${version}`, 'clone', sshd.urlOf('ann', 'open'), other],
      work,
      {
        GIT_TRACE_PACKET: trace,
      },
    )
    assert.equal(await sshd.gitOk('ann', ['rev-parse', 'HEAD'], other), head)
    const told = /< version (\d)/.exec(await readFile(trace, 'utf8'))?.[1]
    assert.equal(told, version === 0 ? undefined : String(version))
  })

test('20 MB of incompressible data arrive complete, both ways', async () => {
  const { folder } = await clone('ann', 'open')
  await sshd.gitOk('ann', ['checkout', '-q', '-b', 'large'], folder)
  for (let i = 0; i < 20; i++) await writeFile(join(folder, `${i}.bin`), randomBytes(1_048_576))
  await commit('ann', folder)
  await sshd.gitOk('ann', ['push', 'origin', 'large'], folder)
  const other = await mkdtemp(join(work, 'large-'))
  await sshd.gitOk(
    'ann',
    ['clone', '--single-branch', '--branch', 'large', sshd.urlOf('ann', 'open'), other],
    work,
  )
  assert.equal(
    await sshd.gitOk('ann', ['rev-parse', 'HEAD^{tree}'], other),
    await sshd.gitOk('ann', ['rev-parse', 'HEAD^{tree}'], folder),
  )
  await sshd.gitOk('ann', ['fsck', '--strict'], other)
})

test('git archive --remote archives a branch, and nothing that is not a ref', async () => {
  const tar = join(work, 'open.tar')
  await sshd.gitOk('ann', ['archive', `--remote=${sshd.urlOf('ann', 'open')}`, '-o', tar, 'main'], work)
  assert.match((await run('tar', ['-tf', tar])).stdout, /^readme\.md$/m)
  const tree = await sshd.gitOk('ann', ['rev-parse', 'HEAD^{tree}'], (await clone('ann', 'open')).folder)
  const refused = await sshd.git('ann', ['archive', `--remote=${sshd.urlOf('ann', 'open')}`, tree], work)
  assert.notEqual(refused.code, 0)
})

test('several forms of a path name the same repository', async () => {
  for (const url of [
    `ssh://${sshd.host}:${sshd.port}/ann/open.git`,
    `ssh://${sshd.host}:${sshd.port}/ann/open`,
    `ssh://${sshd.host}:${sshd.port}/ANN/Open.git/`,
    `${sshd.host}:ann/open.git`,
    `${sshd.host}:/ann/open`,
  ])
    assert.match(await sshd.gitOk('ann', ['ls-remote', url, 'refs/heads/main'], work), /^[0-9a-f]{40}\t/)
})

test('without a command there is a greeting, no shell and exit code 0', async () => {
  const { code, stderr, stdout } = await plain('ann', ['-T'])
  assert.match(
    stderr,
    /bloomery: hello ann, you have authenticated with the key "ann", but shell access is disabled/,
  )
  assert.equal(stdout, '')
  assert.equal(code, 0)
  assert.match((await plain('ann', ['-tt'])).stderr, /PTY allocation request failed/)
})

for (const [name, command, message] of [
  ['another program', 'id', /no shell/],
  ['a file transfer', 'scp -f /etc/passwd', /no shell/],
  ['a program behind a verb', "git-upload-pack 'ann/open.git'; id", /no shell/],
  ['a program in the path', "git-upload-pack '$(id)'", /invalid repository path/],
  ['a way out', "git-upload-archive '../../../../etc'", /invalid repository path/],
  ['no repository', "git-upload-pack 'ann/nothing.git'", /repository not found, or permission denied/],
  ['nobody', "git-receive-pack 'nobody/open.git'", /repository not found, or permission denied/],
] as const)
  test(`refused: ${name}`, async () => {
    const { code, stderr, stdout } = await plain('ann', [], command)
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^bloomery: /)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /uid=|root:/)
  })

test('there is no file transfer and no forwarding', async () => {
  assert.notEqual((await plain('ann', ['-s'], 'sftp')).code, 0)
  const forwarded = await plain('ann', ['-W', `127.0.0.1:${sshd.port}`])
  assert.notEqual(forwarded.code, 0)
  assert.doesNotMatch(forwarded.stdout, /SSH-2/)
})

test('a repository of another user is read and written according to permissions', async () => {
  const stranger = await sshd.git(
    'bob',
    ['clone', sshd.urlOf('ann', 'diary'), join(work, 'bobs-diary')],
    work,
  )
  assert.equal(stranger.code, 128)
  assert.match(stranger.stderr, /bloomery: repository not found, or permission denied/)
  const { folder } = await clone('bob', 'open')
  await writeFile(join(folder, 'bob.txt'), 'bob\n')
  await commit('bob', folder)
  const before = await refOf('ann', 'open', 'refs/heads/main')
  const refused = await sshd.git('bob', ['push', 'origin', 'main'], folder)
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /remote rejected.*permission to write/)
  assert.equal(await refOf('ann', 'open', 'refs/heads/main'), before)
})

test('a push refused by policy is refused ref by ref', async () => {
  const { folder } = await clone('ann', 'open')
  const refused = await sshd.git('ann', ['push', 'origin', ':main', 'HEAD:refs/heads/beside'], folder)
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /refusing to delete the default branch/)
  assert.match(refused.stderr, /HEAD -> beside/)
})

const NOTHING = '1'.repeat(40)
const FETCH_NOTHING = `0012command=fetch\n00010032want ${NOTHING}\n0009done\n0000`
const VERSION_2 = ['-o', 'SetEnv=GIT_PROTOCOL=version=2']
for (const [what, verb, flags, input, expected] of [
  ['a fetch that wants nothing', 'upload-pack', [], '0000', 0],
  ['a fetch of nonsense', 'upload-pack', [], 'zzzz', 128],
  ['a fetch of what is not there', 'upload-pack', [], `0032want ${NOTHING}\n00000009done\n`, 128],
  ['the same with protocol 2', 'upload-pack', VERSION_2, FETCH_NOTHING, 128],
  ['a push of nothing', 'receive-pack', [], '0000', 0],
  ['a push of nonsense', 'receive-pack', [], 'zzzz', 128],
  ['an archive of nonsense', 'upload-archive', [], 'zzzz', 128],
] as const)
  test(`${what} ends with git's own exit code: ${expected}`, async () => {
    const { code } = await plain('ann', flags, `git-${verb} 'ann/open.git'`, input)
    assert.equal(code, expected)
  })

test('a push whose refs are all refused exits with 0 for ssh: git has reported the reasons', async () => {
  const program = join(work, 'recording-ssh')
  const told = join(work, 'exit-code')
  await writeFile(program, `#!/bin/sh\nssh ${sshd.flags('ann').join(' ')} "$@"\necho $? > ${told}\n`, {
    mode: 0o755,
  })
  const { folder } = await clone('ann', 'open')
  const recorded = { GIT_SSH_COMMAND: program, GIT_SSH_VARIANT: 'ssh' }
  const refused = await sshd.git('ann', ['push', 'origin', 'HEAD:refs/pull/1/head'], folder, recorded)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /remote rejected/)
  assert.equal((await readFile(told, 'utf8')).trim(), '0')
})

test('an unknown key is refused with a line in the log, and so is a deleted key at once', async (t) => {
  await sshd.makeKey('unknown')
  const { mock } = t.mock.method(forge.world.log, 'warn')
  assert.match((await plain('unknown', [])).stderr, /Permission denied \(publickey\)/)
  await until(() => mock.callCount() > 0)
  assert.deepEqual(mock.calls[0]?.arguments, [
    { 'client.address': '127.0.0.1', 'sign_in.by': 'ssh key' },
    'sign-in failed',
  ])
  const id = await addKey('ann', 'short-lived')
  assert.equal((await plain('short-lived', [])).code, 0)
  assert.equal((await forge.call('ann', 'DELETE', `/user/keys/${id}`)).status, 204)
  assert.match((await plain('short-lived', [])).stderr, /Permission denied \(publickey\)/)
})

test('sessions and offered keys are counted by result', async () => {
  const count = async () => {
    const text = await forge.world.telemetry.scrape()
    const series = [
      'sessions_total{result="ok"}',
      'sessions_total{result="refused"}',
      'keys_total{result="unknown"}',
    ]
    return series.map((it) => Number(text.split(`\nbloomery_ssh_${it} `)[1]?.split('\n')[0]))
  }
  const before = await count()
  await sshd.makeKey('stranger')
  assert.equal((await plain('ann', [])).code, 0)
  assert.equal((await sshd.git('ann', ['ls-remote', sshd.urlOf('ann', 'missing')], work)).code, 128)
  assert.equal((await plain('stranger', [])).code, 255)
  const grown = (await count()).map((value, i) => value - (before[i] ?? 0))
  assert.deepEqual(grown, [1, 1, 1])
})

test('a key deleted during an open connection opens no further session', async () => {
  const id = await addKey('ann', 'shared')
  const control = ['-o', `ControlPath=${work}/control`]
  const master = spawn('ssh', [...sshd.flags('shared'), ...control, '-M', '-N', sshd.host])
  try {
    await until(async () => (await stat(join(work, 'control')).catch(() => undefined)) !== undefined)
    assert.equal((await plain('shared', control)).code, 0)
    await forge.call('ann', 'DELETE', `/user/keys/${id}`)
    const { code, stderr } = await plain('shared', control)
    assert.equal(code, 1)
    assert.match(stderr, /public key was deleted/)
  } finally {
    master.kill()
    await once(master, 'exit')
  }
})

test('the last use of a key is recorded', async () => {
  const id = await addKey('bob', 'used')
  const lastUse = async () => (await forge.call('bob', 'GET', `/user/keys/${id}`)).body.last_used_at
  forge.advance(3_600_000)
  const before = await lastUse()
  await plain('used', [])
  assert.notEqual(await lastUse(), before)
})

for (const [state, message] of [
  [{ prohibits_login: true }, /prohibited from signing in/],
  [{ is_active: false }, /prohibited from signing in/],
  [{ must_change_password: true }, /must change your password/],
] as const)
  test(`an account with ${Object.keys(state)} is refused as over HTTP`, async () => {
    const login = `state-${randomBytes(4).toString('hex')}`
    await forge.person(login)
    await addKey(login, login)
    await forge.db.updateTable('account').set(state).where('login', '=', login).execute()
    const { code, stderr } = await plain(login, [], "git-upload-pack 'ann/open.git'")
    assert.equal(code, 1)
    assert.match(stderr, message)
  })

test('the old name of an owner leads to the new one', async () => {
  await forge.person('old')
  await forge.person('root', { is_admin: true })
  await addKey('old', 'old')
  await forge.call('old', 'POST', '/user/repos', { name: 'moving', default_branch: 'main' })
  await sow('old', 'moving')
  const renamed = await forge.call('root', 'POST', '/admin/users/old/rename', { new_username: 'renamed' })
  assert.equal(renamed.status, 204)
  const { code, stderr, stdout } = await sshd.git('old', ['ls-remote', sshd.urlOf('old', 'moving')], work)
  assert.equal(code, 0)
  assert.match(stdout, /refs\/heads\/main/)
  assert.match(stderr, /bloomery: old was renamed to renamed/)
})

test('of two pushes to one branch at the same moment one wins, and the other is refused', async () => {
  const pushes = await Promise.all(
    ['left', 'right'].map(async (side) => {
      const { folder } = await clone('ann', 'open')
      await writeFile(join(folder, `${side}.txt`), side)
      await commit('ann', folder)
      return folder
    }),
  )
  const results = await Promise.all(
    pushes.map((folder) => sshd.git('ann', ['push', 'origin', 'HEAD:main'], folder)),
  )
  assert.deepEqual(results.map(({ code }) => code).sort(), [0, 1])
})

for (const [name, verb, sends] of [
  ['fetches', 'git-upload-pack', ''],
  ['pushes', 'git-receive-pack', '0094'],
] as const)
  test(`a client that ${name} and disconnects leaves no process behind`, async () => {
    const child = spawn('ssh', [...sshd.flags('ann'), sshd.host, `${verb} 'ann/open.git'`])
    await once(child.stdout, 'data')
    assert.equal((await processes()).length > 0, true)
    child.stdin.on('error', () => undefined)
    child.stdin.write(sends)
    child.kill('SIGKILL')
    await until(async () => (await processes()).length === 0)
  })

for (const [name, words, process, pipes] of [
  // It reads a little and then stops, so that git on the other side blocks in the middle.
  ['fetch', ['fetch', '-q', 'origin', 'large'], 'pack-objects', (it: string) => `${it} | ${LITTLE}`],
  ['push', ['push', '-q', 'origin', 'more'], 'index-pack', (it: string) => `${LITTLE} | ${it}`],
] as const)
  test(`a client that disconnects during a large ${name} leaves no process behind`, async () => {
    const { folder } = await clone('ann', 'open', [], ['--single-branch'])
    await sshd.gitOk('ann', ['checkout', '-q', '-b', 'more'], folder)
    await writeFile(join(folder, 'more.bin'), randomBytes(2_097_152))
    await commit('ann', folder)
    const slow = join(work, `slow-${name}`)
    await writeFile(slow, `#!/bin/sh\n${pipes(`ssh ${sshd.flags('ann').join(' ')} "$@"`)}\n`, { mode: 0o755 })
    const env = { ...sshd.environment('ann'), GIT_SSH_COMMAND: slow, GIT_SSH_VARIANT: 'ssh' }
    const child = spawn('git', words, { cwd: folder, env, detached: true })
    try {
      await until(async () => (await processes()).some((it) => it.includes(process)))
    } finally {
      kill(-(child.pid ?? 0), 'SIGKILL')
    }
    await until(async () => (await processes()).length === 0)
    assert.equal(await refOf('ann', 'open', 'refs/heads/more'), '')
  })

test('a client that sends more than the limit is told the reason', async () => {
  const child = spawn('ssh', [...sshd.flags('ann'), sshd.host, "git-upload-pack 'ann/nothing.git'"])
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  child.stdin.on('error', () => undefined)
  child.stdin.write(Buffer.alloc(8 * 1_048_576))
  const [code] = await once(child, 'exit')
  assert.equal(code, 1)
  assert.match(said, /repository not found/)
})

test('only the session user reaches the socket, and secrets are private', async () => {
  const folder = sshFolder(forge.world.config)
  assert.equal((await stat(join(folder.path, 'gate'))).mode & 0o777, isRoot() ? 0o710 : 0o700)
  assert.equal((await stat(folder.hostKey)).mode & 0o777, 0o600)
})

test('malformed requests to the socket do not crash the node', async () => {
  const { socket } = sshFolder(forge.world.config)
  for (const bytes of ['', 'x', '\xff\xff\xff\xff', '\0\0\0\0', '\0\0\0\x01x', '\0\0\0\x09session\0x']) {
    const client = connect(socket)
    client.on('error', () => undefined)
    client.end(Buffer.from(bytes, 'latin1'))
    client.resume()
    await once(client, 'close')
  }
  assert.equal((await plain('ann', [])).code, 0)
})

test('the host key survives the loss of the folder and a restart of the forge', async () => {
  const shown = async () => (await run('ssh-keyscan', ['-p', String(sshd.port), '127.0.0.1'])).stdout
  const before = await shown()
  assert.match(before, /ssh-ed25519/)
  await sshd.stop()
  await rm(join(work, 'ssh'), { recursive: true })
  // What a killed node leaves behind.
  const { socket } = sshFolder(forge.world.config)
  await mkdir(dirname(socket), { recursive: true })
  await writeFile(socket, '')
  await sshd.start()
  assert.equal(await shown(), before)
  assert.equal((await plain('ann', [])).code, 0)
})

test('while the database is away, every client is told so and gets nothing', async () => {
  await sshd.makeKey('somebody')
  const url = 'postgres://nobody@127.0.0.1:1/none'
  const db = openDb(openPool({ url, poolMax: 1, connectTimeoutMs: 2_000, statementTimeoutMs: 2_000 }))
  await sshd.stop()
  await sshd.start({ db, transactions: db, log: openLog('silent') })
  for (const key of ['ann', 'somebody']) {
    const listed = await sshd.git(key, ['ls-remote', sshd.urlOf('ann', 'open')], work)
    assert.notEqual(listed.code, 0)
    assert.match(listed.stderr, /bloomery: forge is unavailable, please try again later/)
    assert.doesNotMatch(listed.stderr, /Permission denied/)
    assert.equal(listed.stdout, '')
    const { code, stdout } = await plain(key, [], 'id; cat /etc/passwd')
    assert.deepEqual([code, stdout], [1, ''])
  }
  await sshd.stop()
  await db.destroy()
  await sshd.start()
  assert.match((await plain('somebody', [])).stderr, /Permission denied \(publickey\)/)
  assert.equal((await plain('ann', [])).code, 0)
})

test('an sshd that dies is restarted', async () => {
  const { config } = sshFolder(forge.world.config)
  const isListener = (words: string) => words.includes(config) && words.includes('[listener]')
  const [listener] = await findProcesses((words) => isListener(words))
  assert.ok(listener)
  const { level } = forge.world.log
  forge.world.log.level = 'silent'
  try {
    kill(listener.pid, 'SIGKILL')
    await until(async () => (await plain('ann', [])).code === 0)
  } finally {
    forge.world.log.level = level
  }
})

// -- the verbs of these tests

/** ssh itself, without git. */
function plain(key: string, flags: readonly string[], command?: string, input = ''): Promise<Ended> {
  const words = command === undefined ? [] : [command]
  return run('ssh', [...sshd.flags(key), ...flags, sshd.host, ...words], {}, input)
}

async function addKey(login: string, title: string, read_only = false): Promise<number> {
  const key = { title, key: await sshd.makeKey(title), read_only }
  const { status, body } = await forge.call(login, 'POST', '/user/keys', key)
  assert.equal(status, 201)
  return body.id
}

async function sow(login: string, repo: string): Promise<void> {
  const folder = await mkdtemp(join(work, 'sow-'))
  await sshd.gitOk(login, ['init', '-q', '-b', 'main'], folder)
  await writeFile(join(folder, 'readme.md'), `# ${repo}\n`)
  await commit(login, folder)
  await sshd.gitOk(login, ['push', sshd.urlOf(login, repo), 'main'], folder)
}

async function clone(
  key: string,
  repo: string,
  settings: string[] = [],
  flags: string[] = [],
): Promise<{ folder: string; head: string }> {
  const folder = await mkdtemp(join(work, 'clone-'))
  await sshd.gitOk(key, [...settings, 'clone', '-q', ...flags, sshd.urlOf('ann', repo), folder], work)
  return { folder, head: await refOf(key, repo, 'refs/heads/main') }
}

async function commit(key: string, folder: string): Promise<string> {
  await sshd.gitOk(key, ['add', '-A'], folder)
  await sshd.gitOk(key, ['commit', '-q', '-m', 'a change'], folder)
  return sshd.gitOk(key, ['rev-parse', 'HEAD'], folder)
}

async function refOf(key: string, repo: string, name: string): Promise<string> {
  return (await sshd.gitOk(key, ['ls-remote', sshd.urlOf('ann', repo), name], work)).slice(0, 40)
}

/** Processes that serve sessions of this forge: its socket programs, and git in its cache. */
async function processes(): Promise<string[]> {
  const marks = [sshFolder(forge.world.config).socket, forge.world.config['git.cache_folder']]
  const isOurs = (text: string) => marks.some((mark) => text.includes(mark))
  const found = await findProcesses((words, folder) => isOurs(words) || isOurs(folder))
  return found.map(({ words }) => words)
}

async function findProcesses(isWanted: (words: string, folder: string) => boolean) {
  const found: { pid: number; words: string }[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (isWanted(words, folder)) found.push({ pid: Number(pid), words })
  }
  return found
}
