/** Fields of issues, labels, runs, threads and commits that need special preparation to show. */
import { type Audit, until } from '../kit/audit.ts'
import { type Json, PASSWORD } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import { SshKey, tryPush } from '../kit/git.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, equals, hasStatus, holds } from '../kit/verdicts.ts'

const FORM = [
  '--B',
  'Content-Disposition: form-data; name="attachment"; filename="a.txt"',
  'Content-Type: text/plain',
  '',
  'hello',
  '--B--',
  '',
].join('\r\n')

export async function askAboutOtherRecords(audit: Audit, stage: Stage): Promise<void> {
  await askAboutIssues(audit, stage)
  await askAboutEvents(audit, stage)
}

async function askAboutIssues({ base, demand, request }: Audit, stage: Stage): Promise<void> {
  const { alice, makeIssue } = stage
  const place = `${alice}/open`
  const read = async (number: number) =>
    (await request('GET', `/repos/${place}/issues/${number}`, { as: alice })).json
  await demand('Issue', 'assets are attachments that clients can download.', async () => {
    const { number } = await makeIssue(place, 'att', alice)
    const headers = { 'content-type': 'multipart/form-data; boundary=B' }
    const path = `/repos/${place}/issues/${number}/assets`
    const sent = await request('POST', path, { as: alice, raw: FORM, headers })
    const { assets } = await read(number)
    const { pathname } = new URL(assets[0].browser_download_url)
    const got = await request('GET', pathname, { as: alice, root: true })
    return allOf(hasStatus(sent, 201), fits('Attachment', assets[0]), equals(got.text, 'hello'))
  })
  await demand('Issue', 'pin_order, is_locked and time_estimate tell how an issue stands.', async () => {
    const { number } = await makeIssue(place, 'pin', alice)
    await request('POST', `/repos/${place}/issues/${number}/pin`, { as: alice })
    await request('PUT', `/repos/${place}/issues/${number}/lock`, { as: alice, body: {} })
    const { pin_order, is_locked, time_estimate } = await read(number)
    return equals([pin_order, is_locked, time_estimate], [1, true, 0])
  })
  await demand('Issue', 'An imported issue names its original author.', async () => {
    const body = { clone_addr: `${base}/${place}.git`, repo_name: 'impi', service: 'gitea', issues: true }
    await request('POST', '/repos/migrate', { as: alice, body })
    const { json } = await request('GET', `/repos/${alice}/impi/issues?state=all`, { as: alice })
    return holds(json?.[0]?.original_author, 'original_author is empty')
  })
  await demand('Label', 'A label made exclusive and archived says so.', async () => {
    const body = { name: 'a/b', color: '#00ff00', exclusive: true, is_archived: true }
    const { json, ...made } = await request('POST', `/repos/${place}/labels`, { as: alice, body })
    return allOf(
      hasStatus({ json, ...made }, 201),
      fits('Label', json),
      equals([json.exclusive, json.is_archived], [true, true]),
    )
  })
}

async function askAboutEvents({ base, demand, request, must, suffix }: Audit, stage: Stage): Promise<void> {
  const { alice, bob, makeIssue, addFile } = stage
  const place = `${alice}/open`
  await demand('WorkflowRun', 'head_repository of a run is a repository.', async () => {
    const workflow = `on: push\njobs:\n  a:\n    runs-on: none-${suffix}\n    steps:\n      - run: x\n`
    await addFile(place, '.gitea/workflows/a.yml', workflow, alice)
    const run = await until(async () => {
      const { json } = await request('GET', `/repos/${place}/actions/runs`, { as: alice })
      return json.workflow_runs[0] as Json
    })
    return fits('Repository', run?.head_repository)
  })
  await demand('NotificationThread', 'The repository of a thread has permissions.', async () => {
    await must(request('PUT', `/repos/${place}/subscription`, { as: bob }))
    await makeIssue(place, 'nn', alice)
    const thread = await until(async () => {
      const { json } = await request('GET', '/notifications?all=true', { as: bob })
      return json[0] as Json
    })
    return fits('Permission', thread?.repository.permissions)
  })
  await demand('RepoCommit', 'The verification of a signed commit names its signer.', async () => {
    using key = await SshKey.make()
    const body = { key: key.line, title: 'signing' }
    await must(request('POST', '/user/keys', { as: alice, body }))
    const remote = new URL(`${base}/${place}.git`)
    Object.assign(remote, { username: alice, password: PASSWORD })
    const config = ['gpg.format=ssh', `user.signingkey=${key.file}`, 'commit.gpgsign=true']
    const pushed = await tryPush(remote.href, 'signed', { config, email: `${alice}@example.test` })
    const { json } = await request('GET', `/repos/${place}/commits?limit=1`, { as: alice })
    const { verification } = json[0].commit
    return allOf(
      equals(pushed, 'pushed'),
      fits('Verification', verification),
      equals([verification.verified, verification.signer?.username], [true, alice]),
    )
  })
}
