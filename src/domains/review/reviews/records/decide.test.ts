/** Which reviews are refused: facts in, a refusal or nothing out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeDismissal, judgeReview, type Reviewing } from './decide.ts'

const FINE: Reviewing = {
  kind: 'approve',
  body: 'x',
  hasRemarks: false,
  isAuthor: false,
  isJob: false,
  isOpen: true,
}
const NO_TEXT = { body: ' \n' }
for (const [says, facts, isRefused] of [
  ['an approval', {}, false],
  ['an approval without a text', NO_TEXT, false],
  ['an approval of the author', { isAuthor: true }, true],
  ['an approval when it is closed', { isOpen: false }, true],
  ['a request for changes', { kind: 'reject' }, false],
  ['a request for changes without a text', { kind: 'reject', ...NO_TEXT }, true],
  ['a request for changes of remarks alone', { kind: 'reject', ...NO_TEXT, hasRemarks: true }, false],
  ['a request for changes of the author', { kind: 'reject', isAuthor: true }, true],
  ['a request for changes when it is closed', { kind: 'reject', isOpen: false }, true],
  ['a comment of the author on what is closed', { kind: 'comment', isAuthor: true, isOpen: false }, false],
  ['a comment of remarks alone', { kind: 'comment', ...NO_TEXT, hasRemarks: true }, false],
  ['a comment of nothing', { kind: 'comment', ...NO_TEXT }, true],
  ['a beginning', { kind: 'pending', isAuthor: true, isOpen: false }, false],
  ['a beginning without a text', { kind: 'pending', ...NO_TEXT }, true],
  ['a beginning of remarks alone', { kind: 'pending', ...NO_TEXT, hasRemarks: true }, false],
] as const)
  test(`${says} is ${isRefused ? 'refused' : 'accepted'}`, () => {
    assert.equal(judgeReview({ ...FINE, ...facts })?.kind, isRefused ? 'invalid' : undefined)
  })

test('a job token may comment, but neither approve nor request changes', () => {
  for (const kind of ['approve', 'reject'] as const)
    assert.equal(judgeReview({ ...FINE, kind, isJob: true })?.kind, 'forbidden')
  assert.equal(judgeReview({ ...FINE, kind: 'comment', isJob: true }), undefined)
})

test('only approvals and change requests can be dismissed, while the pull request is open', () => {
  assert.equal(judgeDismissal('approve', true), undefined)
  assert.equal(judgeDismissal('reject', true), undefined)
  for (const kind of ['comment', 'pending', 'request'] as const)
    assert.equal(judgeDismissal(kind, true)?.kind, 'forbidden')
  assert.equal(judgeDismissal('approve', false)?.kind, 'forbidden')
})
