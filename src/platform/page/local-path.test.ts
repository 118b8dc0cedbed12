/** Which addresses are pages of this forge, as browsers parse them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localPath } from './local-path.ts'

for (const [text, path] of [
  ['/', '/'],
  ['/ann/town?tab=a%20b&x=1#note', '/ann/town?tab=a%20b&x=1#note'],
  ['/ann/größe', '/ann/gr%C3%B6%C3%9Fe'],
  ['/%09/evil.example', '/%09/evil.example'],
  ['/a//b', '/a//b'],
  ['/a/../b', '/b'],
])
  test(`«${text}» is local`, () => assert.equal(localPath(text ?? ''), path))

for (const text of [
  '',
  'evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example/',
  '/\t\\evil.example/',
  '\t//evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\0/evil.example',
  '/\u007f/evil.example',
  '/.//evil.example',
  '/./\t/evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  ' //evil.example',
  `/${'a'.repeat(5_000)}`,
])
  test(`«${JSON.stringify(text.slice(0, 30))}» is not local`, () => assert.equal(localPath(text), undefined))
