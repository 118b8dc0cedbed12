/** CPU time of a node: a text, a log or a push that is slow to process does not block others. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { base64, formBytes, type Person } from './kit/calls.ts'
import type { Forge } from './kit/forge.ts'
import { clone, commitFile, mustGit } from './kit/git.ts'
import { addWorkflow, mustTake, runnerOf, workflowText } from './kit/runner.ts'

export const nodesThatStop: readonly Attack[] = [
  {
    name: 'a-log-that-looks-like-a-secret',
    holds: 'a log that looks like a secret does not keep a node from answering for 3 s',
    seconds: 240,
    on: 'disk',
    isInCi: true,
    run: logSecrets,
  },
  {
    name: 'issue-templates-of-many-keys',
    holds: 'ten issue templates of 120 KB do not keep a node from answering for 3 s',
    seconds: 200,
    on: 'disk',
    isInCi: true,
    run: readTemplate,
  },
  {
    name: 'slow-texts-in-the-way-of-a-readme',
    holds: 'a README is shown within 15 s, and rendered, while a stranger sends 28 slow texts of 8 KB',
    seconds: 240,
    on: 'disk',
    isInCi: true,
    run: renderSlowTexts,
  },
  {
    name: 'a-push-of-many-workflows',
    holds:
      'a push of 20 workflows makes no transaction that lasts longer than 30 s, and no more than 2,000 jobs',
    seconds: 240,
    on: 'disk',
    // Too long for CI, because it needs its own forge.
    isAlone: true,
    run: pushManyWorkflows,
  },
]

const LATE_MS = 3_000
const SECRETS = 5

async function logSecrets(forge: Forge): Promise<string | undefined> {
  // Any account can have a repository, secrets and a runner.
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'log')
  const at = `/api/v1/repos/${repository}`
  await addWorkflow(forge, eve, repository, workflowText('workflow_dispatch'), { file: 'w.yml' })
  for (let i = 0; i < SECRETS; i++) await setLongSecret(forge, eve, `${at}/actions/secrets/S${i}`, i)
  const runner = await runnerOf(forge, eve, repository)
  await forge.must(eve, 'POST', `${at}/actions/workflows/w.yml/dispatches`, { ref: 'main' })
  const { id } = await mustTake(runner, 30)
  const time = '2026-01-02T03:04:05Z'
  const rows = Array.from({ length: 12 }, () => ({ time, content: 'a'.repeat(65_000) }))
  const log = { taskId: id, index: '0', rows, noMore: true }
  const { calmMs, worstMs } = await beside(forge, 1_000, () =>
    runner.call('UpdateLog', log, {}, AbortSignal.timeout(120_000)),
  )
  return worstMs > LATE_MS + calmMs
    ? `one message of 780 KB: /healthz took ${inSeconds(worstMs)} (${inSeconds(calmMs)} before)`
    : undefined
}

/** As long as the forge accepts: 60,000 characters, or what is allowed. */
async function setLongSecret(forge: Forge, who: Person, path: string, i: number): Promise<void> {
  for (let length = 60_000; length >= 1_000; length = Math.floor(length / 2)) {
    const { status } = await forge.call(who, 'PUT', path, { data: `${'a'.repeat(length)}${i}` })
    if (status < 300) return
  }
  throw new Error('no secret is taken')
}

/** The slowest answer of `/healthz` before some work and during it. */
async function beside(
  forge: Forge,
  calmForMs: number,
  work: () => Promise<unknown>,
): Promise<{ calmMs: number; worstMs: number }> {
  let worstMs = 0
  let isDone = false
  const beat = async () => {
    for (; !isDone; await sleep(50)) {
      const began = performance.now()
      const options = { timeoutMs: 120_000 }
      await forge.call(undefined, 'GET', '/healthz', undefined, options).catch(() => undefined)
      worstMs = Math.max(worstMs, performance.now() - began)
    }
  }
  const beating = beat()
  await sleep(calmForMs)
  const calmMs = worstMs
  await work().catch(() => undefined)
  isDone = true
  await beating
  return { calmMs, worstMs }
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** A YAML parser may compare every key of a map with all others. 128 KB are allowed, and 50 files. */
const KEYS = 17_000
const TEMPLATES = 10

async function readTemplate(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'templates')
  const head = 'name: a\nabout: a\nbody:\n  - type: markdown\n    attributes:\n      value: a\n'
  const keys = Array.from({ length: KEYS }, (_, i) => `k${i}:\n`).join('')
  const folder = await clone(forge, eve, repository)
  for (let i = 0; i < TEMPLATES; i++)
    await commitFile(folder, `.gitea/ISSUE_TEMPLATE/${i}.yaml`, `${head}${keys}`)
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
  let status = 0
  const { calmMs, worstMs } = await beside(forge, 3_000, async () => {
    const path = `/api/v1/repos/${repository}/issue_templates`
    const options = { timeoutMs: 150_000 }
    status = (await forge.call(undefined, 'GET', path, undefined, options)).status
  })
  if (status === 404) throw new Error('there are no templates')
  return worstMs - calmMs > LATE_MS
    ? `one anonymous GET …/issue_templates (${status}): /healthz took ${inSeconds(worstMs)} (${inSeconds(calmMs)} before)`
    : undefined
}

const SLOW_TEXTS = 28
const README_S_MAX = 15
const slowText = (n: number) =>
  `${n}\n\n|${'a|'.repeat(1000)}\n|${'-|'.repeat(1000)}\n${'|x|\n'.repeat(1000)}`

async function renderSlowTexts(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'readme')
  const file = `/api/v1/repos/${repository}/contents/README.md`
  const change = async (text: string) => {
    const { json } = await forge.must(ann, 'GET', file)
    const { sha } = json as { sha: string }
    await forge.must(ann, 'PUT', file, { content: base64(text), message: 'm', sha })
  }
  const html = { accept: 'text/html' }
  const show = () =>
    forge.call(undefined, 'GET', `/${repository}`, undefined, { headers: html, timeoutMs: 200_000 })
  const isRendered = ({ text }: { text: string }) => text.includes('<strong>plain</strong>')
  await change('a **plain** page')
  if (!isRendered(await show())) throw new Error('README is not rendered')
  // Another text, which no node has cached.
  await change('another **plain** page')
  const over = new AbortController()
  const headers = { ...html, 'content-type': 'application/x-www-form-urlencoded' }
  const send = (n: number) => {
    const body = formBytes({ form: 'preview', preview_field: 'body', body: slowText(n) })
    const options = { headers, timeoutMs: 200_000, signal: over.signal }
    return forge.call(undefined, 'POST', '/-/markup', body, options).catch(() => undefined)
  }
  const sent = Array.from({ length: SLOW_TEXTS }, (_, n) => send(n))
  try {
    await sleep(1_000)
    const seen = await show()
    if (seen.seconds <= README_S_MAX && isRendered(seen)) return undefined
    const how = isRendered(seen) ? 'rendered' : 'not rendered'
    return `${SLOW_TEXTS} anonymous previews of 8 KB: the README came after ${Math.round(seen.seconds)} s, ${how}`
  } finally {
    over.abort()
    await Promise.all(sent)
  }
}

/** 100 files are read, 20 refs of a push are processed, and a matrix may have 256 jobs. */
const FILES = 20
const JOBS_MAX = 2_000
const TRANSACTION_S_MAX = 30
const CALM_S = 5

async function pushManyWorkflows(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'bomb')
  const folder = await clone(forge, eve, repository)
  mkdirSync(join(folder, '.gitea/workflows'), { recursive: true })
  const list = `[${Array.from({ length: 16 }, (_, i) => i).join(',')}]`
  const matrix = `    strategy:\n      matrix:\n        x: ${list}\n        y: ${list}\n    steps:`
  const text = workflowText('push', 'nobody').replace('    steps:', matrix)
  for (let i = 0; i < FILES; i++) writeFileSync(join(folder, `.gitea/workflows/w${i}.yml`), text)
  await mustGit(folder, 'add', '-A')
  await mustGit(folder, 'commit', '-qm', 'x')
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
  const [, name] = repository.split('/')
  let age = 0
  let jobs = 0
  // Runs may be created one by one: all jobs have been counted when no more came for some seconds.
  for (let calm = 0; seconds() < 200 && calm < CALM_S && age <= 2 * TRANSACTION_S_MAX; await sleep(1_000)) {
    const before = jobs
    const oldest = await forge.sql(`select coalesce(max(extract(epoch from now() - xact_start)), 0)
      from pg_stat_activity where datname = current_database()
      and (query like '%action_job%' or query like '%commit_status%')`)
    age = Math.max(age, Number(oldest))
    jobs = Number(
      await forge.sql(`select count(*) from action_job join repository on repository.id = repository_id
        where repository.name = '${name}'`),
    )
    calm = jobs > 0 && jobs === before ? calm + 1 : 0
  }
  if (jobs === 0 && age <= TRANSACTION_S_MAX) throw new Error('the push made no job')
  return age > TRANSACTION_S_MAX || jobs > JOBS_MAX
    ? `${FILES} workflows of 200 bytes: ${jobs || 'not yet one of the'} jobs after ${seconds()} s, in a transaction of ${Math.round(age)} s`
    : undefined
}
