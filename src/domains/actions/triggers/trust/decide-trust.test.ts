/** The trust decision: a table of cases, and laws that hold for all combinations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideTrust, type Flow, type Origin, type Standing, type Trust } from './decide-trust.ts'

const FLOWS: readonly Flow[] = ['ref', 'branch', 'fork', 'agit', 'queue']
const STANDINGS: readonly Standing[] = ['writer', 'contributor', 'stranger', 'job']
const EVENTS = [
  'push',
  'create',
  'issues',
  'issue_comment',
  'release',
  'schedule',
  'workflow_dispatch',
  'workflow_run',
  'merge_group',
  'pull_request',
  'pull_request_review',
  'pull_request_target',
]
const OPEN = { hasActions: true, isArchived: false }
const RULES = [OPEN, { hasActions: false, isArchived: false }, { hasActions: true, isArchived: true }]

/** Describes a decision in words. */
function inWords({ runs, hasSecrets, token, groups, needsApproval }: Trust): string {
  if (!runs) return 'nothing'
  const given = `${hasSecrets ? 'secrets' : 'no secrets'}, token ${token}, groups of the ${groups}`
  return `${given}${needsApproval ? ', waits' : ''}`
}

const FULL = 'secrets, token asked, groups of the repository'
const APART = 'secrets, token asked, groups of the pull'
const OUTSIDE = 'no secrets, token read, groups of the pull'
const WAITS = `${OUTSIDE}, waits`

/** event, flow, author, pusher, actor. */
const TABLE: readonly (readonly [string, Flow, Standing, Standing, Standing, string])[] = [
  ['push', 'ref', 'stranger', 'stranger', 'writer', FULL],
  ['schedule', 'ref', 'stranger', 'stranger', 'stranger', FULL],
  ['issue_comment', 'ref', 'stranger', 'stranger', 'stranger', FULL],
  ['push', 'ref', 'stranger', 'stranger', 'job', 'nothing'],
  ['workflow_dispatch', 'ref', 'stranger', 'stranger', 'job', FULL],
  // A job pushed the branch of the schedule.
  ['schedule', 'ref', 'stranger', 'stranger', 'job', FULL],
  ['pull_request', 'branch', 'writer', 'writer', 'writer', FULL],
  ['pull_request', 'branch', 'writer', 'stranger', 'stranger', FULL],
  ['pull_request', 'fork', 'writer', 'writer', 'writer', OUTSIDE],
  ['pull_request', 'fork', 'contributor', 'contributor', 'contributor', OUTSIDE],
  ['pull_request', 'fork', 'stranger', 'stranger', 'stranger', WAITS],
  // A maintainer who reopens, labels or assigns does not vouch for the code.
  ['pull_request', 'fork', 'stranger', 'stranger', 'writer', WAITS],
  ['pull_request', 'fork', 'stranger', 'writer', 'writer', WAITS],
  ['pull_request', 'fork', 'writer', 'stranger', 'writer', WAITS],
  ['pull_request', 'fork', 'writer', 'writer', 'stranger', WAITS],
  ['pull_request', 'fork', 'job', 'job', 'writer', WAITS],
  ['pull_request_review', 'fork', 'stranger', 'stranger', 'writer', WAITS],
  // A push to refs/for/ requires only read access, so it is trusted no more than a fork.
  ['pull_request', 'agit', 'stranger', 'stranger', 'stranger', WAITS],
  ['pull_request', 'agit', 'stranger', 'stranger', 'writer', WAITS],
  ['pull_request', 'agit', 'writer', 'writer', 'writer', OUTSIDE],
  ['pull_request_target', 'fork', 'stranger', 'stranger', 'stranger', APART],
  ['pull_request_target', 'agit', 'stranger', 'stranger', 'stranger', APART],
  ['pull_request_target', 'branch', 'writer', 'writer', 'writer', FULL],
  ['merge_group', 'queue', 'stranger', 'stranger', 'writer', FULL],
  ['merge_group', 'queue', 'stranger', 'stranger', 'stranger', WAITS],
]

for (const [event, flow, author, pusher, actor, expected] of TABLE)
  test(`${event} by ${flow}: author ${author}, pusher ${pusher}, actor ${actor}: ${expected}`, () => {
    const trust = decideTrust({ event, flow, author, pusher, actor, repository: OPEN })
    assert.equal(inWords(trust), expected)
  })

const isOutside = ({ flow }: Origin) => flow === 'fork' || flow === 'agit'
const isAtHead = ({ event }: Origin) => event === 'pull_request' || event === 'pull_request_review'
const isKnown = (it: Standing) => it === 'writer' || it === 'contributor'

/** [when the law applies, what then holds]. */
const LAWS: Readonly<
  Record<string, readonly [(of: Origin) => boolean, (trust: Trust, of: Origin) => boolean]>
> = {
  'nothing runs where actions are off or the repository is archived': [
    ({ repository }) => !repository.hasActions || repository.isArchived,
    ({ runs }) => !runs,
  ],
  'a job starts nothing but what it dispatches, and schedules go on': [
    ({ actor, event }) => actor === 'job' && event !== 'workflow_dispatch' && event !== 'schedule',
    ({ runs }) => !runs,
  ],
  'a pull request from outside is in no group of others': [isOutside, ({ groups }) => groups === 'pull'],
  'code from outside gets neither secrets nor a writing token': [
    (of) => isOutside(of) && isAtHead(of),
    ({ hasSecrets, token }) => !hasSecrets && token === 'read',
  ],
  'code from outside runs unseen only if all three of its people are known': [
    (of) => isOutside(of) && isAtHead(of),
    ({ runs, needsApproval }, { author, pusher, actor }) =>
      !runs || needsApproval || [author, pusher, actor].every(isKnown),
  ],
  'a queue entry of an account that may not write gets no secrets': [
    ({ flow, actor }) => flow === 'queue' && actor !== 'writer',
    ({ hasSecrets }) => !hasSecrets,
  ],
  'an approval never brings secrets': [() => true, (trust) => !(trust.needsApproval && trust.hasSecrets)],
}

for (const [law, [applies, holds]] of Object.entries(LAWS))
  test(`${law}, for every combination`, (t) => {
    const origins = allOrigins().filter(applies)
    for (const origin of origins) assert.ok(holds(decideTrust(origin), origin), JSON.stringify(origin))
    assert.ok(origins.length > 0)
    t.diagnostic(`${origins.length} rows`)
  })

function allOrigins(): Origin[] {
  const people = STANDINGS.flatMap((author) =>
    STANDINGS.flatMap((pusher) => STANDINGS.map((actor) => ({ author, pusher, actor }))),
  )
  const places = EVENTS.flatMap((event) =>
    FLOWS.flatMap((flow) => RULES.map((repository) => ({ event, flow, repository }))),
  )
  return places.flatMap((place) => people.map((them) => ({ ...place, ...them })))
}
