/** bcrypt, against hashes of another implementation. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { isBcrypt, verifyBcrypt } from './bcrypt.ts'

const SALT = '$2b$04$8zlLOvdpy3WJjLd1vP0hZu'
const LONG = 'ä long one with more than seventy-two bytes in it, which is where the method stops reading'

for (const [password, digest] of [
  ['an old password', 'V55Bpi15q9L1AW0vbEh1T13bG1y/YbW'],
  [LONG, '9yWO4UfRvuui2WTVMMd2LcVr0UjQbz6'],
  ['', 'tCfguPl/PD/WZ0A/KqHY./VFJEdsFZW'],
] as const)
  test(`a hash of ${password.length} letters verifies with them, and with no others`, () => {
    assert.equal(verifyBcrypt(SALT + digest, password), true)
    assert.equal(verifyBcrypt(SALT.replace('2b', '2a') + digest, password), true)
    assert.equal(verifyBcrypt(SALT + digest, `x${password}`), false)
  })

test('bytes after the seventy-second do not count', () => {
  assert.equal(verifyBcrypt(`${SALT}9yWO4UfRvuui2WTVMMd2LcVr0UjQbz6`, `${LONG}!`), true)
})

test('a hash of another form, or one that takes minutes, is not taken', () => {
  for (const hash of [
    '',
    '$2b$04$short',
    `${SALT.replace('04', '31')}V55Bpi15q9L1AW0vbEh1T13bG1y/YbW`,
    '$2x$04$',
  ]) {
    assert.equal(isBcrypt(hash), false)
    assert.equal(verifyBcrypt(hash, 'an old password'), false)
  }
})
