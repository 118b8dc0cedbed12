/** Whose turn it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Caller,
  decideOwnTurn,
  decideTurn,
  type OwnTurn,
  type Turn,
  type TurnFacts,
} from './decide-turn.ts'

const good: TurnFacts = {
  isDraft: false,
  mergeability: 'mergeable',
  checks: 'success',
  needsChecks: false,
  reviewState: 'approved',
  lacksApprovals: false,
  hasBlockingRequests: false,
  isBlocked: false,
  isOutdated: false,
}
const TURNS: readonly (readonly [Turn | undefined, Partial<TurnFacts>])[] = [
  ['ready', {}],
  ['ready', { mergeability: 'empty' }],
  ['ready', { reviewState: undefined, checks: undefined }],
  ['draft', { isDraft: true, mergeability: 'conflict', reviewState: 'changes' }],
  ['conflicts', { mergeability: 'conflict', reviewState: 'changes' }],
  ['conflicts', { mergeability: 'unrelated' }],
  [undefined, { mergeability: 'merged' }],
  [undefined, { mergeability: 'error' }],
  ['changes', { reviewState: 'changes', checks: 'failure' }],
  ['failed', { checks: 'failure', reviewState: 'waiting' }],
  ['failed', { checks: 'error' }],
  ['review', { reviewState: 'waiting', checks: 'pending' }],
  ['review', { hasBlockingRequests: true }],
  ['approval', { lacksApprovals: true }],
  ['approval', { lacksApprovals: true, reviewState: undefined }],
  ['dependencies', { isBlocked: true, isOutdated: true }],
  ['behind', { isOutdated: true, checks: 'pending' }],
  ['checks', { checks: 'pending' }],
  ['checks', { checks: undefined, needsChecks: true }],
  ['checking', { mergeability: 'checking' }],
  ['ready', { checks: 'warning' }],
]
for (const [turn, facts] of TURNS)
  test(`${JSON.stringify(facts)}: ${turn}`, () => assert.equal(decideTurn({ ...good, ...facts }), turn))

const author: Caller = { isAuthor: true, mayMerge: true, isRequested: false }
const reviewer: Caller = { isAuthor: false, mayMerge: true, isRequested: true }
const OWN: readonly (readonly [OwnTurn | undefined, Turn | undefined, Caller, TurnFacts['reviewState']?])[] =
  [
    ['ready', 'ready', author, 'approved'],
    [undefined, 'ready', author],
    [undefined, 'ready', { ...author, mayMerge: false }, 'approved'],
    ['conflicts', 'conflicts', author],
    ['changes', 'changes', author],
    ['failed', 'failed', author],
    ['behind', 'behind', author],
    [undefined, 'draft', author],
    [undefined, 'review', author],
    [undefined, 'approval', author],
    [undefined, 'checks', author],
    [undefined, undefined, author],
    ['review', 'review', reviewer],
    ['review', 'ready', reviewer],
    ['review', 'failed', reviewer],
    [undefined, 'draft', reviewer],
    [undefined, 'changes', { ...reviewer, isRequested: false }],
    [undefined, 'ready', { ...reviewer, isRequested: false }, 'approved'],
  ]
for (const [own, turn, caller, reviewState] of OWN)
  test(`${turn} with reviews ${reviewState}, for ${JSON.stringify(caller)}: ${own}`, () =>
    assert.equal(decideOwnTurn(turn, { reviewState }, caller), own))
