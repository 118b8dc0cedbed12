/** The access of deploy keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideKeyAccess, may, UNITS, type Unit } from './index.ts'

const repository = {
  isPrivate: true,
  isArchived: false,
  isQuarantined: false,
  enabledUnits: new Set<Unit>(UNITS),
}

for (const level of ['read', 'write'] as const)
  test(`a deploy key with ${level} access has it on code and wiki only`, () => {
    const access = decideKeyAccess(repository, level)
    for (const unit of UNITS) {
      const isGit = unit === 'code' || unit === 'wiki'
      assert.equal(may(access, 'read', unit), isGit, unit)
      assert.equal(may(access, 'write', unit), isGit && level === 'write', unit)
    }
    assert.ok(may(access, 'see'))
    assert.ok(!may(access, 'admin'))
    assert.ok(!may(access, 'own'))
  })

test('a disabled unit is also disabled for a deploy key', () => {
  const access = decideKeyAccess({ ...repository, enabledUnits: new Set<Unit>(['wiki']) }, 'write')
  assert.ok(!may(access, 'read', 'code'))
  assert.ok(may(access, 'write', 'wiki'))
})
