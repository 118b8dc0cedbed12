/** JSON from other servers: accepted if it matches its schema. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { JSON_BYTES_MAX, readJson } from './read-json.ts'

const Named = Type.Array(Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) }), {
  maxItems: 3,
})

for (const [what, text, expected] of [
  ['what fits', '[{"name":"a"},{"name":"b","note":"ü"}]', [{ name: 'a' }, { name: 'b', note: 'ü' }]],
  ['an empty list', '[]', []],
  ['a list that is too long', '[{"name":"a"},{"name":"a"},{"name":"a"},{"name":"a"}]', undefined],
  ['another shape', '[{"name":7}]', undefined],
  ['no JSON', '[{"name":', undefined],
  ['nothing', '', undefined],
  ['nesting without end', '['.repeat(500_000), undefined],
  ['more than is read at once', `["${'x'.repeat(JSON_BYTES_MAX)}"]`, undefined],
  ['what fits, after all that', '[{"name":"a"}]', [{ name: 'a' }]],
] as const)
  test(`${what} is ${expected === undefined ? 'not taken' : 'taken'}`, async () => {
    assert.deepEqual(await readJson(Buffer.from(text), Named), expected)
  })
