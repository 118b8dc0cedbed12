/**
 * Secrets are planted, given to a job that leaks them in every way, and then searched for in everything that is left:
 * answers, logs of jobs and of the node, and every byte that PostgreSQL, its write-ahead log and the object store have on
 * disk.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Message, SimulatedRunner } from '#testing/slices/runners'
import { tryForge } from '../try-forge.ts'

const WINDOW = 12
const TRIES = 100

const line = () => randomBytes(24).toString('hex')
const PASS = `pass+${line()}/ö`
const KEY = [line(), line(), line()].join('\n')
const OF_USER = `user-${line()}`
const WORKFLOW = `on: push
jobs:
  leak:
    runs-on: linux
    env:
      PASS: \${{ secrets.PASS }}
    outputs:
      pass: \${{ steps.tell.outputs.pass }}
    steps:
      - id: tell
        run: echo "$PASS"
`

const { TEST_POSTGRES_BIN: bin } = process.env
const postgres = bin ? ['--postgres', bin] : []
const folder = await mkdtemp(join(tmpdir(), 'bloomery-canaries-'))
// PostgreSQL runs as its own user.
await chmod(folder, 0o755)
after(() => rm(folder, { recursive: true, force: true }))

test('no part of a secret is left anywhere after a job has leaked it in every way', async () => {
  const said: string[] = []
  const forge = await tryForge(
    ['--ssh-port', '0', '--data', folder, '--log-level', 'debug', ...postgres],
    (it) => {
      said.push(it)
    },
  )
  const answers: string[] = []
  let token = ''
  try {
    const call = async (method: string, path: string, body?: unknown): Promise<Message> => {
      const response = await fetch(`${forge.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from('admin:admin1234').toString('base64')}`,
          'content-type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      answers.push(text)
      return text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as Message) : { text }
    }
    await call('POST', '/user/repos', { name: 'anvil', auto_init: true, default_branch: 'main' })
    const root = '/repos/admin/anvil'
    await call('PUT', `${root}/actions/secrets/PASS`, { data: PASS })
    await call('PUT', `${root}/actions/secrets/KEY`, { data: KEY })
    await call('PUT', '/user/actions/secrets/OF_USER', { data: OF_USER })
    // Refused values must not be repeated, either.
    await call('PUT', `${root}/actions/secrets/1-BAD`, { data: PASS })
    await call('PUT', `${root}/actions/secrets/PASS`, { data: { deep: PASS } })
    await call('PUT', `${root}/actions/secrets/PASS`, { data: PASS, description: [KEY] })

    const registration = await call('POST', '/admin/actions/runners/registration-token')
    const runner = await SimulatedRunner.register(forge.url, registration.token)
    await call('POST', `${root}/contents/.gitea/workflows/leak.yml`, {
      content: Buffer.from(WORKFLOW).toString('base64'),
      message: 'a workflow',
    })
    const task = await runner.untilTask()
    assert.deepEqual(
      { PASS: task.secrets.PASS, KEY: task.secrets.KEY, OF_USER: task.secrets.OF_USER },
      { PASS, KEY, OF_USER },
    )
    token = task.secrets.GITEA_TOKEN
    await tellAll(runner, task.id, token)
    await runner.report(task.id, { result: 'RESULT_SUCCESS' }, { pass: PASS, token, fine: 'fine' })
    const { jobs } = await call('GET', `${root}/actions/jobs`)
    const log = await call('GET', `${root}/actions/jobs/${jobs[0].id}/logs`)
    assert.match(log.text, /the end/)
    await call('GET', `${root}/actions/runs`)
  } finally {
    await forge[Symbol.asyncDispose]()
  }
  const planted = [PASS, OF_USER, ...KEY.split('\n'), token].flatMap(windowsOf)
  const found = (text: string) => planted.filter((part) => text.includes(part))
  assert.deepEqual(found(answers.join('\n')), [], 'in answers')
  assert.deepEqual(found(said.join('\n')), [], 'in what the node said')
  assert.ok(said.length > 10, 'the node said something')
  const files = await filesBelow(folder)
  assert.ok(files.length > 100, 'the database is there')
  for (const file of files) assert.deepEqual(found(await readFile(file, 'latin1')), [], file)
})

/** Verbatim, encoded, in parts, and across the ends of lines and of messages. */
async function tellAll(runner: SimulatedRunner, taskId: string, token: string): Promise<void> {
  const half = PASS.length / 2
  const lines = [
    `plain ${PASS}`,
    `base64 ${Buffer.from(PASS).toString('base64')} ${Buffer.from(`x${PASS}`).toString('base64')}`,
    `url ${encodeURIComponent(PASS)}`,
    ...KEY.split('\n'),
    `joined ${KEY.replaceAll('\n', '')}`,
    `user ${OF_USER} token ${token}`,
    `cut ${PASS.slice(0, half)}`,
    PASS.slice(half),
    `late ${PASS.slice(0, half)}`,
  ]
  let sent = await runner.log(taskId, 0, lines)
  const rest = [...lines, `${PASS.slice(half)} and more`, 'the end']
  for (let tries = 0; sent < rest.length && tries < TRIES; tries++)
    sent = await runner.log(taskId, sent, rest.slice(sent), true)
  assert.equal(sent, rest.length)
}

/** Parts too long to be coincidence, of the secret and of its usual encodings. */
function windowsOf(secret: string): string[] {
  const forms = [secret, Buffer.from(secret).toString('base64'), Buffer.from(`x${secret}`).toString('base64')]
  // The first and last characters of an encoding depend on its neighbours as well.
  return forms.flatMap((form) =>
    Array.from({ length: Math.floor((form.length - 8) / WINDOW) }, (_, i) =>
      form.slice(4 + i * WINDOW, 4 + (i + 1) * WINDOW),
    ),
  )
}

async function filesBelow(top: string): Promise<string[]> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true })
  return entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name))
}
