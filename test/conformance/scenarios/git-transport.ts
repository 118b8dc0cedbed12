/** Git over HTTP: who may fetch and who may push, by the first answer of each service, and by real pushes. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'transport-ann'
  for (const name of [ann, 'transport-writer', 'transport-reader', 'transport-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'open', auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'old', auto_init: true })
  await t.stage(ann, 'PATCH', `/repos/${ann}/old`, { archived: true })
  for (const repo of ['open', 'closed']) {
    await t.stage(ann, 'PUT', `/repos/${ann}/${repo}/collaborators/transport-writer`, { permission: 'write' })
    await t.stage(ann, 'PUT', `/repos/${ann}/${repo}/collaborators/transport-reader`, { permission: 'read' })
  }
  const callers: Record<string, string | null> = {
    nobody: null,
    'a stranger': 'transport-stranger',
    'a reader': 'transport-reader',
    'a writer': 'transport-writer',
    'the owner': ann,
    'the site administrator': 'admin',
  }
  const ask = (
    step: string,
    as: string | null,
    repo: string,
    service: string,
    headers: Record<string, string> = {},
    extra = {},
  ) =>
    t.call(
      step,
      as,
      'GET',
      `//${ann}/${repo}.git/info/refs?service=git-${service}`,
      { headers },
      { statusOnly: true, ...extra },
    )
  // The reference lets readers begin a push, because it accepts pull requests that way, and refuses it later; see the
  // real push below.
  for (const repo of ['open', 'closed'])
    for (const service of ['upload-pack', 'receive-pack'])
      for (const [who, as] of Object.entries(callers))
        if (
          service === 'upload-pack' ||
          (who !== 'a stranger' && who !== 'a reader') ||
          (who === 'a stranger' && repo === 'closed')
        )
          await ask(
            `${service} of the ${repo} repository by ${who}`,
            as,
            repo,
            service,
            {},
            who === 'a stranger' && service === 'receive-pack' ? { decision: 'D28', status: 403 } : {},
          )
  await ask('fetch of an archived repository', ann, 'old', 'upload-pack')
  await ask('push to an archived repository', ann, 'old', 'receive-pack')
  await ask('a missing repository by nobody', null, 'missing', 'upload-pack')
  await ask('a missing repository by a stranger', 'transport-stranger', 'missing', 'upload-pack')
  await ask('push to a missing repository of another', 'transport-stranger', 'missing', 'receive-pack')
  await ask('push to a missing repository of oneself', ann, 'missing', 'receive-pack')
  await ask('an unknown service', ann, 'open', 'nonsense')
  await ask('a wrong password', null, 'open', 'upload-pack', {
    authorization: `Basic ${Buffer.from(`${ann}:wrong`).toString('base64')}`,
  })
  const token = async (name: string, scopes: string[]) =>
    (await t.stage(ann, 'POST', `/users/${ann}/tokens`, { name, scopes })).body.sha1 as string
  const asPassword = (value: string) => ({
    authorization: `Basic ${Buffer.from(`anything:${value}`).toString('base64')}`,
  })
  const reading = await token('reading', ['read:repository'])
  await ask('fetch with a reading token', null, 'closed', 'upload-pack', asPassword(reading))
  await ask('push with a reading token', null, 'closed', 'receive-pack', asPassword(reading))
  await ask(
    'push with a writing token',
    null,
    'closed',
    'receive-pack',
    asPassword(await token('writing', ['write:repository'])),
  )
  await ask(
    'fetch with a token for something else',
    null,
    'closed',
    'upload-pack',
    asPassword(await token('other', ['read:user'])),
  )
  await ask(
    'fetch with a token for public things',
    null,
    'closed',
    'upload-pack',
    asPassword(await token('public', ['public-only', 'read:repository'])),
  )

  const folder = mkdtempSync(join(tmpdir(), 'transport-'))
  try {
    const identity = {
      GIT_AUTHOR_NAME: 'W',
      GIT_AUTHOR_EMAIL: 'transport-writer@example.test',
      GIT_COMMITTER_NAME: 'W',
      GIT_COMMITTER_EMAIL: 'transport-writer@example.test',
      GIT_AUTHOR_DATE: '2020-01-06T10:00:00Z',
      GIT_COMMITTER_DATE: '2020-01-06T10:00:00Z',
    }
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: folder,
        env: { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' },
        stdio: 'pipe',
      })
    git('clone', '-q', t.remote('transport-writer', `${ann}/closed`), '.')
    writeFileSync(join(folder, 'pushed.txt'), 'pushed\n')
    git('checkout', '-q', '-b', 'topic')
    git('add', '.')
    git('commit', '-q', '-m', 'By push')
    git('tag', '-a', '-m', 'A tag', 'v1')
    git('push', '-q', 'origin', 'topic', 'v1')
    await t.until(ann, `/repos/${ann}/closed/branches`, (answer) => answer.body.length === 2)
    await t.call('the branch that was pushed', ann, 'GET', `/repos/${ann}/closed/branches/topic`)
    await t.call('the commit that was pushed', ann, 'GET', `/repos/${ann}/closed/commits?sha=topic&limit=1`)
    await t.until(ann, `/repos/${ann}/closed/tags`, (answer) => answer.body.length === 1)
    await t.call('the tag that was pushed', ann, 'GET', `/repos/${ann}/closed/tags/v1`)
    for (const who of ['reader', 'stranger']) {
      try {
        git('push', '-q', t.remote(`transport-${who}`, `${ann}/open`), `topic:by-${who}`)
      } catch {
        // Refused, as it should be; the next step verifies it.
      }
      await t.call(`a push by a ${who} leaves no branch`, ann, 'GET', `/repos/${ann}/open/branches/by-${who}`)
    }
    git('push', '-q', 'origin', ':topic')
    await t.until(ann, `/repos/${ann}/closed/branches`, (answer) => answer.body.length === 1)
    await t.call('the branch that was deleted by a push', ann, 'GET', `/repos/${ann}/closed/branches/topic`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
