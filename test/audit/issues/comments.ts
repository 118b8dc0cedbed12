/** Questions about comments on issues. */
import type { Audit } from '../kit/audit.ts'
import { type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'

const ADD = 'POST /repos/{owner}/{repo}/issues/{index}/comments'

export async function askAboutComments(audit: Audit, stage: Stage): Promise<void> {
  const { call, demand, request, must } = audit
  const { alice, bob, carol, archivedIssue, makeIssue, openPull } = stage
  const place = `${alice}/open`
  const { number } = await makeIssue(place, 'discussed', alice)
  const add = (body: unknown, asking: RequestOptions & { index?: number } = {}) => {
    const path = `/repos/${asking.at ?? place}/issues/${asking.index ?? number}/comments`
    return call(ADD, 'POST', path, sending(alice, asking, body))
  }
  const count = async (): Promise<number> =>
    (await request('GET', `/repos/${place}/issues/${number}`, { as: alice })).json.comments
  await demand(ADD, 'A new comment is answered with every field.', async () => {
    const text = `Hällo 🙂 @${bob}`
    const answer = await add({ body: text })
    const { body, user, issue_url } = answer.json
    return allOf(
      hasStatus(answer, 201),
      fits('Comment', answer.json),
      equals([body, user.login], [text, alice]),
      holds(issue_url, 'issue_url is empty'),
    )
  })
  await demand(ADD, 'A comment on a pull request has pull_request_url.', async () => {
    const pull = await openPull(place, 'p-comment', alice)
    const answer = await add({ body: 'x' }, { index: pull.number })
    return allOf(hasStatus(answer, 201), holds(answer.json.pull_request_url, 'pull_request_url is empty'))
  })
  await demand(ADD, 'issue_url leads to the page of the issue.', async () => {
    const { json } = await add({ body: 'u' })
    const page = await request('GET', new URL(json.issue_url).pathname, { as: null, root: true })
    return allOf(hasStatus(page, 200), holds(page.text.includes('discussed'), 'the page is of another issue'))
  })
  await demand(ADD, 'An issue counts its comments.', async () => {
    const before = await count()
    await add({ body: 'c' })
    return equals(await count(), before + 1)
  })
  await demand(ADD, 'A body is required and is a text.', () =>
    each(['{}', '{"body":""}', '{"body":null}', '{"body":5}', '[]', '', '{'], async (raw) => {
      const answer = await add(null, { raw })
      return allOf(hasStatus(answer, 400, 422), hasErrorShape(answer))
    }),
  )
  await demand(ADD, 'Any reader may comment in a public repository.', async () =>
    hasStatus(await add({ body: 'x' }, { as: carol }), 201),
  )
  await demand(ADD, 'A stranger may not comment on a locked issue.', async () => {
    const locked = await makeIssue(place, 'locked', alice)
    const path = `/repos/${place}/issues/${locked.number}/lock`
    await must(request('PUT', path, { as: alice, body: { lock_reason: '' } }))
    const answer = await add({ body: 'x' }, { index: locked.number, as: carol })
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
  await demand(ADD, 'Unknown issues and repositories and hidden ones are not found.', () =>
    each(
      [{ index: 999_999 }, { index: 1, at: `${alice}/nope` }, { index: 1, at: `${alice}/hidden`, as: carol }],
      async (asking) => {
        const answer = await add({ body: 'x' }, asking)
        return allOf(hasStatus(answer, 404), hasErrorShape(answer))
      },
    ),
  )
  await demand(ADD, 'An archived repository is refused with 423, message and url.', async () => {
    const answer = await add({ body: 'x' }, { at: `${alice}/old`, index: archivedIssue.number })
    return allOf(hasStatus(answer, 423), hasErrorShape(answer))
  })
  await demand(ADD, 'A caller without credentials is unauthorized.', async () => {
    const answer = await add({ body: 'x' }, { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
  await demand(ADD, 'A comment of a million characters is taken.', async () =>
    hasStatus(await add({ body: 'y'.repeat(1_000_000) }), 201),
  )
}
