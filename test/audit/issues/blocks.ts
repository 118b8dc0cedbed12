/** Questions about issues that block others. */
import type { Audit } from '../kit/audit.ts'
import { type Answer, type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isRefused } from '../kit/verdicts.ts'

const BLOCK = 'POST /repos/{owner}/{repo}/issues/{index}/blocks'
const UNBLOCK = 'DELETE /repos/{owner}/{repo}/issues/{index}/blocks'
const NO_ISSUES = [
  '{}',
  '[]',
  '"x"',
  '{"index":"x"}',
  '{"index":1.5}',
  '{"index":-1}',
  '{',
  '',
  'null',
  '{"index":99999999999999999999,"owner":"a","repo":"b"}',
]

/** Three issues, and how the first blocks others. */
interface Blocking {
  readonly blocker: Json
  readonly blocked: Json
  readonly third: Json
  readonly send: (
    operation: string,
    body: unknown,
    asking?: RequestOptions & { index?: number | string },
  ) => Promise<Answer>
  readonly nameOf: (issue: Json, repo?: string) => { index: number; owner: string; repo: string }
  readonly close: (issue: Json) => Promise<Answer>
}

export async function askAboutBlocks(audit: Audit, stage: Stage): Promise<void> {
  const { call, request } = audit
  const { alice, makeIssue } = stage
  const place = `${alice}/open`
  const blocker = await makeIssue(place, 'blocker', alice)
  const blocking: Blocking = {
    blocker,
    blocked: await makeIssue(place, 'blocked', alice),
    third: await makeIssue(place, 'third', alice),
    send: (operation, body, asking = {}) => {
      const path = `/repos/${place}/issues/${asking.index ?? blocker.number}/blocks`
      return call(operation, operation.split(' ')[0] ?? '', path, sending(alice, asking, body))
    },
    nameOf: ({ number }, repo = 'open') => ({ index: number, owner: alice, repo }),
    close: ({ number }) => {
      const body = { state: 'closed' }
      return request('PATCH', `/repos/${place}/issues/${number}`, { as: alice, body })
    },
  }
  await askAboutBlocking(audit, stage, blocking)
  await askAboutRefusals(audit, stage, blocking)
  await askAboutUnblocking(audit, stage, blocking)
}

/** Numbers of the issues that block this one. */
async function blockersOf(
  { request }: Audit,
  alice: string,
  { number }: Json,
  repo = 'open',
): Promise<number[]> {
  const { json } = await request('GET', `/repos/${alice}/${repo}/issues/${number}/dependencies`, {
    as: alice,
  })
  return json.map((it: Json) => it.id)
}

async function askAboutBlocking(audit: Audit, stage: Stage, blocking: Blocking): Promise<void> {
  const { demand, request } = audit
  const { alice, makeIssue, openPull } = stage
  const { blocker, blocked, third, send, nameOf, close } = blocking
  const place = `${alice}/open`
  await demand(
    BLOCK,
    'The issue of the path blocks the issue of the body, and the answer has every field.',
    async () => {
      const answer = await send(BLOCK, nameOf(blocked))
      return allOf(
        hasStatus(answer, 201),
        fits('Issue', answer.json),
        equals(await blockersOf(audit, alice, blocked), [blocker.id]),
      )
    },
  )
  await demand(BLOCK, 'A blocked issue stays open while its blocker is open.', async () => {
    const answer = await close(blocked)
    const { json } = await request('GET', `/repos/${place}/issues/${blocked.number}`, { as: alice })
    return allOf(holds(answer.status >= 400, `answered ${answer.status}`), equals(json.state, 'open'))
  })
  await demand(
    BLOCK,
    'Closing a blocked issue is refused with 400, which editing an issue lists.',
    async () => hasStatus(await close(blocked), 400),
  )
  await demand(BLOCK, 'An issue blocks one of another repository.', async () => {
    const other = await makeIssue(`${alice}/hidden`, 'other repo', alice)
    const answer = await send(BLOCK, nameOf(other, 'hidden'))
    return allOf(
      hasStatus(answer, 201),
      equals(await blockersOf(audit, alice, other, 'hidden'), [blocker.id]),
    )
  })
  await demand(BLOCK, 'An issue blocks a pull request.', async () => {
    const pull = await openPull(place, 'p-block', alice)
    return hasStatus(await send(BLOCK, nameOf(pull)), 201)
  })
  await demand(BLOCK, 'The answer is the issue of the path.', async () => {
    const answer = await send(BLOCK, nameOf(blocker), { index: third.number })
    await send(UNBLOCK, nameOf(blocker), { index: third.number })
    return allOf(hasStatus(answer, 201), equals(answer.json.number, third.number))
  })
  await demand(BLOCK, 'owner and repo are found in any case.', async () => {
    const { number } = await makeIssue(place, 'c', alice)
    return hasStatus(await send(BLOCK, { index: number, owner: alice.toUpperCase(), repo: 'OPEN' }), 201)
  })
}

async function askAboutRefusals({ demand }: Audit, stage: Stage, blocking: Blocking): Promise<void> {
  const { bob, carol, alice } = stage
  const { blocker, blocked, third, send, nameOf } = blocking
  await demand(BLOCK, 'An index that is no number is not found.', async () => {
    const answer = await send(BLOCK, nameOf(blocked), { index: 'abc' })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(BLOCK, 'Unknown issues and repositories and hidden ones are not found.', () =>
    each(
      [
        [nameOf(blocked), { index: 999_999 }],
        [{ ...nameOf(blocked), index: 999_999 }, {}],
        [{ ...nameOf(blocked), repo: 'nope' }, {}],
        [{ index: 1, owner: alice, repo: 'hidden' }, { as: bob }],
      ] as const,
      async ([body, asking]) => {
        const answer = await send(BLOCK, body, asking)
        return allOf(hasStatus(answer, 404), hasErrorShape(answer))
      },
    ),
  )
  await demand(BLOCK, 'A body without owner and repo names no issue that is found.', async () => {
    const answer = await send(BLOCK, { index: third.number })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(BLOCK, 'A block that exists is answered again or refused with a listed kind.', async () => {
    const answer = await send(BLOCK, nameOf(blocked))
    return allOf(hasStatus(answer, 201, 404), hasErrorShape(answer))
  })
  await demand(
    BLOCK,
    'An issue that blocks itself and a circle of blocks are refused with 422.',
    async () => {
      const self = await send(BLOCK, nameOf(blocker))
      const circle = await send(BLOCK, nameOf(blocker), { index: blocked.number })
      return allOf(hasStatus(self, 422), hasErrorShape(self), hasStatus(circle, 422), hasErrorShape(circle))
    },
  )
  await demand(BLOCK, 'A caller who may not write is refused.', async () => {
    const answer = await send(BLOCK, nameOf(third), { as: carol })
    return allOf(hasStatus(answer, 403, 404), hasErrorShape(answer))
  })
  await demand(BLOCK, 'A reader is told that the issue is not found.', async () =>
    hasStatus(await send(BLOCK, nameOf(third), { as: carol }), 404),
  )
  await demand(BLOCK, 'A body that names no issue is refused.', () =>
    each(NO_ISSUES, async (raw) => isRefused(await send(BLOCK, null, { raw }))),
  )
  await demand(BLOCK, 'A caller without credentials is unauthorized.', async () =>
    hasStatus(await send(BLOCK, nameOf(third), { as: null }), 401),
  )
}

async function askAboutUnblocking(audit: Audit, stage: Stage, blocking: Blocking): Promise<void> {
  const { demand } = audit
  const { alice, carol } = stage
  const { blocked, send, nameOf, close } = blocking
  await demand(UNBLOCK, 'The block is gone, and the answer has every field of an issue.', async () => {
    const answer = await send(UNBLOCK, nameOf(blocked))
    return allOf(
      hasStatus(answer, 200),
      fits('Issue', answer.json),
      equals(await blockersOf(audit, alice, blocked), []),
      hasStatus(await close(blocked), 201),
    )
  })
  await demand(UNBLOCK, 'A block that does not exist is not found.', async () => {
    const answer = await send(UNBLOCK, nameOf(blocked))
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(UNBLOCK, 'Unknown issues and repositories are not found.', () =>
    each(
      [
        [nameOf(blocked), { index: 999_999 }],
        [{ ...nameOf(blocked), index: 999_999 }, {}],
        [{ ...nameOf(blocked), repo: 'nope' }, {}],
        [nameOf(blocked), { index: 'abc' }],
      ] as const,
      async ([body, asking]) => {
        const answer = await send(UNBLOCK, body, asking)
        return allOf(hasStatus(answer, 404), hasErrorShape(answer))
      },
    ),
  )
  await demand(
    UNBLOCK,
    'A caller without credentials is unauthorized, and a stranger is refused.',
    async () => {
      const nobody = await send(UNBLOCK, nameOf(blocked), { as: null })
      const stranger = await send(UNBLOCK, nameOf(blocked), { as: carol })
      return allOf(hasStatus(nobody, 401), hasStatus(stranger, 403, 404), hasErrorShape(stranger))
    },
  )
  await demand(UNBLOCK, 'A body that names no issue is refused.', () =>
    each(['{}', '[]', '{"index":"x"}', '{', ''], async (raw) =>
      isRefused(await send(UNBLOCK, null, { raw })),
    ),
  )
}
