/** Control tests for deliveries: each kind of missing, false and repeated delivery is faked once, and must be detected. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Move, NONE } from './ledger.ts'
import { checkActs, checkNews, type Heard, type SeenAct } from './news.ts'

const [A, B] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string]
const TOPIC = 'refs/heads/some/topic'
const TAG = 'refs/tags/v1'
const move = (ref: string, old: string, oid: string): Move => ({ ref, old, new: oid })

/** A branch and a tag are created, moved and deleted. */
const MOVES = [TOPIC, TAG].flatMap((ref) => [move(ref, NONE, A), move(ref, A, B), move(ref, B, NONE)])

const heard = (event: string, body: object): Heard => ({
  id: randomUUID(),
  event,
  body: JSON.stringify(body),
  isThanked: true,
})
const pushed = (ref: string, before: string, after: string) => heard('push', { ref, before, after })
const branch = { ref: 'some/topic', ref_type: 'branch' }
const tag = { ref: 'v1', ref_type: 'tag' }
const HEARD: readonly Heard[] = [
  heard('create', { ...branch, sha: A }),
  pushed(TOPIC, NONE, A),
  pushed(TOPIC, A, B),
  heard('delete', branch),
  heard('create', { ...tag, sha: A }),
  pushed(TAG, NONE, A),
  heard('create', { ...tag, sha: B }),
  pushed(TAG, NONE, B),
  pushed(TAG, B, NONE),
  heard('delete', tag),
]

const act = (op_type: string, ref_name: string, content: object | '' = ''): SeenAct => ({
  op_type,
  ref_name,
  content: content === '' ? '' : JSON.stringify(content),
})
const head = (oid: string) => ({ HeadCommit: { Sha1: oid }, CompareURL: '' })
const compared = (oid: string) => ({ HeadCommit: null, CompareURL: `smith/forge/compare/${NONE}...${oid}` })
const ACTS: readonly SeenAct[] = [
  act('create_repo', ''),
  act('commit_repo', TOPIC),
  act('commit_repo', TOPIC, head(A)),
  act('commit_repo', TOPIC, head(B)),
  act('delete_branch', TOPIC),
  act('push_tag', TAG, compared(A)),
  act('push_tag', TAG, compared(B)),
  act('delete_tag', TAG, { HeadCommit: null, CompareURL: '' }),
]

test('correct deliveries pass in any order', () => {
  assert.deepEqual(checkNews(MOVES, HEARD.toReversed()), [])
  assert.deepEqual(checkActs(MOVES, ACTS.toReversed()), [])
})

for (const [i, { event, body }] of HEARD.entries())
  test(`it is detected when ${event} ${body} is missing, has two delivery ids, or was never accepted`, () => {
    const one = HEARD[i] as Heard
    assert.notDeepEqual(checkNews(MOVES, HEARD.toSpliced(i, 1)), [])
    assert.notDeepEqual(checkNews(MOVES, [...HEARD, { ...one, id: randomUUID() }]), [])
    assert.notDeepEqual(checkNews(MOVES, HEARD.with(i, { ...one, isThanked: false })), [])
  })

for (const [i, one] of ACTS.entries())
  test(`it is detected when ${one.op_type} ${one.content} is missing or duplicated`, () => {
    assert.notDeepEqual(checkActs(MOVES, ACTS.toSpliced(i, 1)), [])
    assert.notDeepEqual(checkActs(MOVES, [...ACTS, one]), [])
  })

test('deliveries and feed entries without a move are detected', () => {
  assert.notDeepEqual(checkNews([], HEARD), [])
  assert.notDeepEqual(checkActs([], ACTS), [])
  assert.notDeepEqual(checkNews(MOVES, HEARD.with(2, pushed(TOPIC, NONE, B))), [], 'from elsewhere')
  assert.notDeepEqual(checkActs(MOVES, ACTS.with(3, act('commit_repo', TOPIC, head(A)))), [], 'to elsewhere')
})

test('refs other than branches and tags are not reported', () => {
  const moves = [move('refs/notes/commits', NONE, A)]
  assert.deepEqual(checkNews(moves, []), [])
  assert.deepEqual(checkActs(moves, [act('create_repo', '')]), [])
})
