/** Memory of a node: it grows by a bounded amount, whatever is sent or requested. */
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { askAndIgnore, basic, type Person } from './kit/calls.ts'
import type { Forge } from './kit/forge.ts'
import { growthOf } from './kit/processes.ts'
import { addWorkflow, mustTake, runnerOf, workflowText } from './kit/runner.ts'

export const nodeMemory: readonly Attack[] = [
  {
    name: 'a-long-raw-markdown',
    holds: 'a node does not grow by 250 MB for one text that is sent to /markdown/raw',
    seconds: 120,
    on: 'disk',
    isInCi: true,
    run: sendLongMarkdown,
  },
  {
    name: 'forms-held-back-by-strangers',
    holds: '40 strangers who hold back the end of a form do not make a node grow by 500 MB',
    seconds: 120,
    on: 'disk',
    isInCi: true,
    run: holdForms,
  },
  {
    name: 'a-page-of-overlapping-steps',
    holds: 'the page of a log of 5,000 lines is no larger than 10 MB, whatever the runner reports of steps',
    seconds: 200,
    on: 'disk',
    isInCi: true,
    run: reportOverlappingSteps,
  },
  {
    name: 'a-large-npm-document',
    holds: 'anonymous readers of one npm package do not make a node grow by 600 MB',
    seconds: 300,
    on: 'disk',
    // Too long for CI: 120 versions have to be published first.
    run: readNpmDocument,
  },
  {
    name: 'many-referrers-of-an-image',
    holds: 'anonymous readers of the referrers of one image do not make a node grow by 600 MB',
    seconds: 300,
    on: 'disk',
    // Too long for CI: 40 manifests of 4 MB have to be published first.
    run: readReferrers,
  },
]

const MARKDOWN_MB = 400
const MARKDOWN_MB_MAX = 250

async function sendLongMarkdown(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const { base, pid } = await forge.freshNode()
  const headers = { 'content-type': 'text/plain' }
  await forge.must(eve, 'POST', '/api/v1/markdown/raw', Buffer.from('*a*'), { base, headers })
  let status = 0
  const sending = sendMarkdown(base, eve).then((it) => {
    status = it
  })
  const { before, most } = await growthOf(pid, sending)
  return most - before > MARKDOWN_MB_MAX
    ? `one request of ${MARKDOWN_MB} MB (answered ${status}) took ${most - before} MB of the node`
    : undefined
}

function sendMarkdown(base: string, who: Person): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const length = String(MARKDOWN_MB * 1024 * 1024)
    const headers = { authorization: basic(who), 'content-type': 'text/plain', 'content-length': length }
    const path = '/api/v1/markdown/raw'
    const sent = request({ hostname, port, method: 'POST', path, agent: false, headers }, (response) =>
      response.resume().once('end', () => resolve(response.statusCode ?? 0)),
    )
    sent.once('error', reject)
    const chunk = Buffer.alloc(1024 * 1024, 'a')
    let left = MARKDOWN_MB
    const more = () => {
      for (; left > 0; left--) if (!sent.write(chunk)) return void sent.once('drain', more)
      sent.end()
    }
    more()
  })
}

const SENDERS = 40
const FORM_MB = 31
const FORMS_MB_MAX = 500
const HEAD = [
  'POST /user/login HTTP/1.1',
  'host: x',
  'content-type: application/x-www-form-urlencoded',
  `content-length: ${FORM_MB * 1024 * 1024 + 1000}`,
  '\r\n',
].join('\r\n')

async function holdForms(forge: Forge): Promise<string | undefined> {
  const { base, pid } = await forge.freshNode()
  const sockets: Socket[] = []
  let sent = 0
  const send = async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port) })
    sockets.push(socket)
    const refused = new Promise<void>((resolve) => {
      socket.on('error', () => resolve()).on('data', () => resolve())
    })
    const chunk = Buffer.alloc(1024 * 1024, 'a')
    const sending = (async () => {
      socket.write(HEAD)
      for (let left = FORM_MB; left > 0; left--, sent++)
        if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve))
    })()
    await Promise.race([refused, sending])
  }
  const work = async () => {
    await Promise.race([Promise.all(Array.from({ length: SENDERS }, send)), sleep(40_000)])
    await sleep(2_000)
  }
  try {
    const { before, most } = await growthOf(pid, work())
    return most - before > FORMS_MB_MAX
      ? `${SENDERS} anonymous POST /user/login, ${sent} MB sent, the last 1000 bytes held back: the node grew from ${before} to ${most} MB`
      : undefined
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

const STEPS = 400
const LINES = 5_000
const PAGE_BYTES_MAX = 10_000_000

async function reportOverlappingSteps(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'log')
  const at = `/api/v1/repos/${repository}`
  const text = workflowText('workflow_dispatch') + '      - run: x\n'.repeat(STEPS - 1)
  await addWorkflow(forge, eve, repository, text, { file: 'w.yml' })
  const runner = await runnerOf(forge, eve, repository)
  await forge.must(eve, 'POST', `${at}/actions/workflows/w.yml/dispatches`, { ref: 'main' })
  const { id } = await mustTake(runner, 40)
  const lines = Array.from({ length: LINES }, (_, i) => `line ${i}`)
  await runner.log(id, 0, lines, true)
  const time = '2026-01-02T03:04:05Z'
  // Every second step begins at the end of the log, so all others cover the whole log.
  const steps = Array.from({ length: STEPS }, (_, i) => {
    const logIndex = i % 2 === 0 ? '0' : String(LINES)
    const times = { startedAt: time, stoppedAt: time }
    return { id: String(i), result: 'RESULT_FAILURE', ...times, logIndex, logLength: '1' }
  })
  // A forge may also refuse such a report.
  await runner.call('UpdateTask', { state: { id, result: 'RESULT_FAILURE', steps } })
  const { json } = await forge.must(eve, 'GET', `${at}/actions/jobs`)
  const [job] = (json as { jobs: { id: number; run_id: number }[] }).jobs
  if (job === undefined) throw new Error('there is no job')
  const path = `/${repository}/actions/runs/${job.run_id}/jobs/${job.id}`
  const options = { headers: { accept: 'text/html' }, timeoutMs: 120_000 }
  const { bytes, seconds, status } = await forge.call(undefined, 'GET', path, undefined, options)
  if (status !== 200) throw new Error(`the page of the log gave ${status}`)
  return bytes.length > PAGE_BYTES_MAX
    ? `anonymous GET of the page: ${Math.round(bytes.length / 1e6)} MB in ${Math.round(seconds)} s for a log of 60 KB`
    : undefined
}

const READERS = 4
const READ_MB_MAX = 600
const VERSIONS = 120
const MANIFESTS = 40
const digest = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

async function readNpmDocument(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const name = 'large'
  const path = `/api/packages/${eve.name}/npm/${name}`
  const data = Buffer.from('tgz').toString('base64')
  // Text that compresses well: it takes next to nothing in the database.
  const keywords = 'x'.repeat(1_000_000)
  const publish = async (i: number) => {
    const version = `1.0.${i}`
    const body = {
      name,
      versions: { [version]: { name, version, keywords } },
      'dist-tags': { latest: version },
      _attachments: { [`${name}-${version}.tgz`]: { data } },
    }
    return (await forge.call(eve, 'PUT', path, body)).status
  }
  const count = await publishAll(VERSIONS, publish)
  return askForDocument(forge, path, `${count} versions of 1 MB`)
}

async function readReferrers(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const image = `${eve.name}/large`
  const authorization = basic(eve)
  const config = Buffer.from('{}')
  await forge.must(undefined, 'POST', `/v2/${image}/blobs/uploads/?digest=${digest(config)}`, config, {
    headers: { authorization, 'content-type': 'application/octet-stream' },
  })
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const subject = { mediaType, digest: `sha256:${'0'.repeat(64)}`, size: 1 }
  const described = { mediaType: 'application/vnd.oci.empty.v1+json', digest: digest(config), size: 2 }
  const publish = async (i: number) => {
    const annotations = { n: String(i), x: 'x'.repeat(4_000_000) }
    const facts = { schemaVersion: 2, mediaType, config: described, layers: [], subject, annotations }
    const manifest = Buffer.from(JSON.stringify(facts))
    const headers = { authorization, 'content-type': mediaType }
    const path = `/v2/${image}/manifests/${digest(manifest)}`
    return (await forge.call(undefined, 'PUT', path, manifest, { headers })).status
  }
  const count = await publishAll(MANIFESTS, publish)
  return askForDocument(forge, `/v2/${image}/referrers/${subject.digest}`, `${count} manifests of 4 MB`)
}

/** As many as the forge accepts, up to a maximum. */
async function publishAll(most: number, publish: (i: number) => Promise<number>): Promise<number> {
  for (let i = 0; i < most; i++) {
    const status = await publish(i)
    if (status < 300) continue
    if (i === 0) throw new Error(`not even one was taken: ${status}`)
    return i
  }
  return most
}

/** Some clients send the request and read nothing. */
async function askForDocument(forge: Forge, path: string, what: string): Promise<string | undefined> {
  const { base, pid } = await forge.freshNode()
  const head = `GET ${path} HTTP/1.1\nhost: x\n\n`
  const sockets = Array.from({ length: READERS }, () => askAndIgnore(base, head))
  const { before, most } = await growthOf(pid, sleep(20_000))
  for (const socket of sockets) socket.destroy()
  const { status, bytes } = await forge.call(undefined, 'GET', path, undefined, { base })
  if (status !== 200) throw new Error(`it was not answered: ${status}`)
  return most - before > READ_MB_MAX
    ? `${READERS} anonymous requests for ${what} (${Math.round(bytes.length / 1e6)} MB of JSON) took ${most - before} MB`
    : undefined
}
