/** URL-encoded forms: parsed as browsers write them, in linear time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUrlEncoded } from './read-urlencoded.ts'

for (const text of [
  '',
  'a=1&b=2&a=3',
  'a&b=&=c&==&&',
  'a+b=c+d%2B',
  'a=%C3%A4%e2%82%ac',
  'a=%zz%4%&%=%',
  'a=%FF%C3(&b=\u00e4',
  'a=b=c&%26=%3D',
])
  test(`«${text}» is parsed as in a browser`, () => {
    assert.deepEqual([...readUrlEncoded(Buffer.from(text))], [...new URLSearchParams(text)])
  })

test('a form with too many fields is refused before they are parsed', () => {
  assert.throws(() => readUrlEncoded(Buffer.from('a&'.repeat(2_001))), /too many fields/)
  assert.equal(readUrlEncoded(Buffer.from('a&'.repeat(2_000))).size, 2_000)
})

for (const [what, unit] of [
  ['blanks', '+'],
  ['hidden letters', '%41'],
  ['beginnings of them', '%4'],
] as const)
  test(`8 MB of ${what} are parsed within seconds`, () => {
    const cpu = process.threadCpuUsage()
    readUrlEncoded(Buffer.from(`a=${unit.repeat(8_000_000 / unit.length)}`))
    assert.ok(process.threadCpuUsage(cpu).user < 1e6)
  })
