/** What a deploy key may do, as a table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideKeyAccess, may, UNITS, type Unit } from './index.ts'

const repository = { isPrivate: true, isArchived: false, enabledUnits: new Set<Unit>(UNITS) }

for (const level of ['read', 'write'] as const)
  test(`a deploy key that may ${level} does so to what is kept in git, and to nothing else`, () => {
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

test('a unit that is off is off for a deploy key, too', () => {
  const access = decideKeyAccess({ ...repository, enabledUnits: new Set<Unit>(['wiki']) }, 'write')
  assert.ok(!may(access, 'read', 'code'))
  assert.ok(may(access, 'write', 'wiki'))
})
