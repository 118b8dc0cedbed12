/** Who may be requested to review, and by whom: facts in, a refusal or nothing out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AskedPerson,
  type Asker,
  judgeAsking,
  judgeAskingTeam,
  judgeTakingBack,
  judgeTakingBackTeam,
} from './decide.ts'

const STRANGER: Asker = { id: 1, isAuthor: false, worksThere: false, isArchived: false }
const AUTHOR: Asker = { ...STRANGER, isAuthor: true }
const WORKER: Asker = { ...STRANGER, worksThere: true }
const archived = (asker: Asker): Asker => ({ ...asker, isArchived: true })
const PERSON: AskedPerson = {
  id: 2,
  isOrganization: false,
  isAuthor: false,
  mayRead: true,
  isAway: false,
  isRequested: false,
  hasDecided: false,
}

for (const [says, asker, person, isOpen, kind] of [
  ['a stranger chooses nobody', STRANGER, {}, true, 'invalid'],
  ['the author chooses', AUTHOR, {}, true, undefined],
  ['whoever works there chooses', WORKER, {}, true, undefined],
  ['an organization reviews nothing', AUTHOR, { isOrganization: true }, true, 'invalid'],
  ['who cannot read it is not asked', AUTHOR, { mayRead: false }, true, 'invalid'],
  ['the author is not asked', WORKER, { isAuthor: true }, true, 'invalid'],
  ['who blocked the asker is not asked', AUTHOR, { isAway: true }, true, 'forbidden'],
  ['who is asked already is passed over', AUTHOR, { isRequested: true, isAway: true }, true, undefined],
  ['a first question on a closed one', AUTHOR, {}, false, undefined],
  ['a second question on a closed one', AUTHOR, { hasDecided: true }, false, 'forbidden'],
  ['a second question on an open one', AUTHOR, { hasDecided: true }, true, undefined],
  ['nobody chooses where it is archived', archived(WORKER), {}, true, 'invalid'],
  ['not even the author', archived(AUTHOR), {}, true, 'invalid'],
  ['who asks once more', archived(AUTHOR), { hasDecided: true }, true, undefined],
] as const)
  test(`${says}: ${kind ?? 'allowed'}`, () => {
    assert.equal(judgeAsking(asker, { ...PERSON, ...person }, isOpen)?.kind, kind)
  })

test('a team with access can be requested by users who may choose reviewers', () => {
  const kindOf = (asker: Asker, hasRepository: boolean, isPrivate: boolean) =>
    judgeAskingTeam(asker, { hasRepository, isPrivate })?.kind
  assert.equal(kindOf(AUTHOR, true, true), undefined)
  assert.equal(kindOf(AUTHOR, false, true), 'invalid')
  assert.equal(kindOf(AUTHOR, false, false), undefined)
  assert.equal(kindOf(STRANGER, true, false), 'invalid')
  assert.equal(kindOf(archived(WORKER), true, false), 'invalid')
})

test('a request can be removed by users who may choose reviewers, and by the requested user', () => {
  assert.equal(judgeTakingBack(WORKER, { id: 2, isRequested: true }), undefined)
  assert.equal(judgeTakingBack(STRANGER, { id: 1, isRequested: true }), undefined)
  assert.equal(judgeTakingBack(STRANGER, { id: 1, isRequested: false })?.kind, 'invalid')
  assert.equal(judgeTakingBack(STRANGER, { id: 2, isRequested: true })?.kind, 'invalid')
  assert.equal(judgeTakingBackTeam(AUTHOR), undefined)
  assert.equal(judgeTakingBackTeam(STRANGER)?.kind, 'invalid')
})
