/** Questions about the old names of repositories and users. */
import type { Audit } from './kit/audit.ts'
import { basicOf, PASSWORD } from './kit/client.ts'
import type { Stage } from './kit/stage.ts'
import { allOf, equals, hasStatus, holds } from './kit/verdicts.ts'

const COMMENT = 'POST /repos/{owner}/{repo}/issues/{index}/comments'
const EDIT = 'PATCH /repos/{owner}/{repo}/issues/{index}'
const CONVENTIONS = 'Conventions'

export async function askAboutOldNames(audit: Audit, stage: Stage): Promise<void> {
  const { base, call, client, demand, request, must, suffix } = audit
  const { makeUser, makeRepo, makeIssue } = stage
  const [user, renamed] = [`ren-${suffix}`, `ren2-${suffix}`]
  await makeUser(user)
  await makeRepo(user, 'was')
  const { number } = await makeIssue(`${user}/was`, 'i', user)
  await must(request('PATCH', `/repos/${user}/was`, { as: user, body: { name: 'is' } }))
  const comments = `issues/${number}/comments`
  const isLedTo = (location: string | undefined, path: string) =>
    holds(location?.endsWith(path), `it leads to ${location}`)
  await demand(COMMENT, 'A comment that fetch sends to the old name of a repository is made.', async () => {
    const answer = await fetch(`${base}/api/v1/repos/${user}/was/${comments}`, {
      method: 'POST',
      headers: { authorization: client.basic(user), 'content-type': 'application/json' },
      body: '{"body":"hello"}',
    })
    const { json } = await request('GET', `/repos/${user}/is/${comments}`, { as: user })
    return allOf(equals(json.length, 1), equals(answer.status, 201))
  })
  await demand(CONVENTIONS, 'Reading at the old name of a repository leads to the new one.', async () => {
    const answer = await request('GET', `/repos/${user}/was/commits`, { as: user })
    return allOf(hasStatus(answer, 301, 302), isLedTo(answer.headers.location, `/repos/${user}/is/commits`))
  })
  await demand(
    CONVENTIONS,
    'A change at the old name of a repository is led on with its method.',
    async () => {
      const asking = { as: user, body: { title: 'x' } }
      const answer = await call(EDIT, 'PATCH', `/repos/${user}/was/issues/${number}`, asking)
      return allOf(
        hasStatus(answer, 307, 308),
        isLedTo(answer.headers.location, `/repos/${user}/is/issues/${number}`),
      )
    },
  )
  await demand(CONVENTIONS, 'A change at the old name of a user is led on with its method.', async () => {
    await must(request('POST', `/admin/users/${user}/rename`, { body: { new_username: renamed } }))
    const headers = { authorization: basicOf(renamed, PASSWORD) }
    const asking = { as: null, headers, body: { body: 'x' } }
    const answer = await request('POST', `/repos/${user}/is/${comments}`, asking)
    return allOf(
      hasStatus(answer, 307, 308),
      isLedTo(answer.headers.location, `/repos/${renamed}/is/${comments}`),
    )
  })
}
