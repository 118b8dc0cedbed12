/** Templates: listed ones exist, others do not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fillLicense,
  findGitignore,
  findLabelSet,
  findLicense,
  findReadme,
  listGitignores,
  listLabelSets,
  listLicenses,
} from './index.ts'

test('every listed licence has a text', async () => {
  const keys = listLicenses()
  assert.ok(keys.length > 500)
  for (const key of keys) assert.ok((await findLicense(key))?.text.endsWith('\n'), key)
})

test('a licence is filled with year and owner', async () => {
  const facts = { owner: 'Ann $& Co', email: 'ann@example.test', repository: 'anvil', year: 2026 }
  const mit = await findLicense('MIT')
  assert.ok(mit)
  assert.match(fillLicense(mit.text, facts), /Copyright \(c\) 2026 Ann \$& Co\n/)
  const plain = await findLicense('0BSD')
  assert.ok(plain)
  assert.match(fillLicense(plain.text, facts), /^Copyright \(C\) 2026 by Ann \$& Co ann@example\.test\n/)
})

test('every listed gitignore can be read, including tools', async () => {
  const names = await listGitignores()
  for (const name of ['Go', 'Node', 'Python', 'Rust', 'C++', 'Vim']) assert.ok(names.includes(name), name)
  for (const name of names) assert.ok((await findGitignore(name)) !== undefined, name)
  assert.deepEqual(names, [...names].sort())
})

for (const name of ['', '../package', 'Global/Vim', 'constructor', '__proto__', 'nonsense'])
  test(`«${name}» is not found`, async () => {
    assert.equal(await findGitignore(name), undefined)
    assert.equal(await findLicense(name), undefined)
    assert.equal(findLabelSet(name), undefined)
    assert.equal(findReadme(name), undefined)
  })

test('labels of a set have unique names and six-digit colors', () => {
  assert.deepEqual(listLabelSets(), ['Advanced', 'Default'])
  for (const set of listLabelSets()) {
    const labels = findLabelSet(set) ?? []
    assert.equal(new Set(labels.map(({ name }) => name)).size, labels.length)
    for (const { color } of labels) assert.match(color, /^[\da-f]{6}$/)
  }
})
