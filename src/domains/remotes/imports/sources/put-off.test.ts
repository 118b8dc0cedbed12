/** How long answers of sources make an import wait, as a table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitOf, usedUpOf } from './put-off.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const inSeconds = (seconds: number) => String(NOW.getTime() / 1_000 + seconds)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const CASES: readonly (readonly [string, number, Record<string, string>, string, number | undefined])[] = [
  ['an ordinary answer', 200, {}, '', undefined],
  ['the last answer before a limit', 200, { 'x-ratelimit-remaining': '0' }, '', undefined],
  ['a refusal without a limit', 403, { 'x-ratelimit-remaining': '12' }, 'Must have admin rights', undefined],
  ['429 alone', 429, {}, '', MINUTE],
  ['429 with seconds', 429, { 'retry-after': '90' }, '', 90_000],
  ['429 with a date', 429, { 'retry-after': 'Thu, 01 Jan 2026 00:02:00 GMT' }, '', 2 * MINUTE],
  ['429 that wants to be asked at once', 429, { 'retry-after': '0' }, '', 5_000],
  ['429 that wants a year', 429, { 'retry-after': '31536000' }, '', DAY],
  ['429 with a number that is none', 429, { 'retry-after': '1e99' }, '', MINUTE],
  ["GitLab's limit", 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': inSeconds(30) }, '', 30_000],
  ['a reset in seconds from now', 429, { 'ratelimit-reset': '45' }, '', 45_000],
  [
    "GitHub's limit",
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(1_800) },
    '',
    30 * MINUTE,
  ],
  ["GitHub's second limit, with a time", 403, { 'retry-after': '120' }, '', 2 * MINUTE],
  [
    "GitHub's second limit, in words",
    403,
    {},
    '{"message":"You have exceeded a secondary rate limit."}',
    MINUTE,
  ],
  [
    'a source whose clock is an hour ahead',
    429,
    { date: 'Thu, 01 Jan 2026 01:00:00 GMT', 'x-ratelimit-reset': inSeconds(3_660) },
    '',
    MINUTE,
  ],
]

test('what a source answers at its limit says how long to wait', () => {
  for (const [what, status, headers, body, wait] of CASES)
    assert.equal(limitOf({ status, headers, body: Buffer.from(body) }, NOW), wait, what)
})

test('credentials rest after the last answer that a limit allows', () => {
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(600) }
  const body = Buffer.from('')
  assert.equal(usedUpOf({ status: 200, headers, body }, NOW), 10 * MINUTE)
  assert.equal(usedUpOf({ status: 200, headers: { 'x-ratelimit-remaining': '1' }, body }, NOW), undefined)
})
