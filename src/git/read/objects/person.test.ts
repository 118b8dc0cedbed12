/** Author and tagger lines, as git and other programs have written them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPerson, localTime, type Person, parsePerson } from './person.ts'

for (const { line, name, email, time } of [
  { line: 'A B <a@b> 1750000000 +0200', name: 'A B', email: 'a@b', time: '2025-06-15T17:06:40+02:00' },
  { line: 'A <a@b> 1750000000 -0330', name: 'A', email: 'a@b', time: '2025-06-15T11:36:40-03:30' },
  { line: 'A <a@b> 1750000000 -0000', name: 'A', email: 'a@b', time: '2025-06-15T15:06:40Z' },
  { line: '<a@b> 0 +0000', name: '', email: 'a@b', time: '1970-01-01T00:00:00Z' },
  { line: ' <> ', name: '', email: '', time: '1970-01-01T00:00:00Z' },
  { line: 'A <a@b> c> 5 +0000', name: 'A', email: 'a@b', time: '1970-01-01T00:00:05Z' },
  { line: 'no mail 5 +0000', name: 'no mail 5 +0000', email: '', time: '1970-01-01T00:00:00Z' },
  { line: 'A <a@b> -5 +0000', name: 'A', email: 'a@b', time: '1970-01-01T00:00:00Z' },
  { line: 'A <a@b> 5 +9999', name: 'A', email: 'a@b', time: '1970-01-01T00:00:05Z' },
  { line: 'A <a@b> 99999999999999 +1400', name: 'A', email: 'a@b', time: '9999-12-31T13:59:59+14:00' },
  { line: '', name: '', email: '', time: '1970-01-01T00:00:00Z' },
])
  test(`parses ${line}`, () => {
    const person = parsePerson(line)
    assert.deepEqual([person.name, person.email, localTime(person)], [name, email, time])
  })

test('a formatted line can be parsed again, and no name breaks the line', () => {
  const person: Person = { name: 'Ünï', email: 'u@x', at: new Date(1_750_000_000_000), offsetMinutes: -210 }
  assert.equal(formatPerson(person), 'Ünï <u@x> 1750000000 -0330')
  assert.deepEqual(parsePerson(formatPerson(person)), person)
  const evil = formatPerson({ ...person, name: 'x\nparent <1>\0', email: '> 1 +0000\n<' })
  assert.equal(evil, 'xparent 1 <1 +0000> 1750000000 -0330')
  assert.equal(formatPerson({ ...person, name: '', email: '' }), ' <> 1750000000 -0330')
})
