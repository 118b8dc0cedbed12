/** Conversions between a wiki page's title, URL name and file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fileOf, filesOf, isReserved, nameOfFile, nameOfSegment, nameOfTitle, titleOf } from './names.ts'

for (const [title, name, file] of [
  ['Home', 'Home', 'Home.md'],
  ['  How to do it ', 'How-to-do-it', 'How-to-do-it.md'],
  ['well-known', 'well-known.-', 'well-known.-.md'],
  ['the well-known page', 'the+well-known+page.-', 'the well-known page.-.md'],
  ['notes.md', 'notes.md.-', 'notes.md.-.md'],
  ['guide/First steps', 'guide%2FFirst-steps', 'guide%2FFirst-steps.md'],
  ['100% sure', '100%25-sure', '100%25-sure.md'],
  ['C++', 'C%2B%2B', 'C%2B%2B.md'],
  ["it's (so)!", 'it%27s-%28so%29%21', 'it%27s-%28so%29%21.md'],
  ['Übersicht', '%C3%9Cbersicht', '%C3%9Cbersicht.md'],
] as const)
  test(`the title «${title}» is written to ${file}`, () => {
    assert.equal(nameOfTitle(title), name)
    assert.equal(fileOf(name), file)
    assert.equal(nameOfFile(file), name)
    assert.equal(titleOf(name), title.trim())
  })

for (const [segment, name] of [
  ['How-to-do-it', 'How-to-do-it'],
  ['How%20to%20do%20it', 'How-to-do-it'],
  ['How+to+do+it', 'How-to-do-it'],
  ['How-to-do-it.md', 'How-to-do-it'],
  ['How%20to%20do%20it.md', 'How-to-do-it'],
  ['the+well-known+page.-', 'the+well-known+page.-'],
  ['C%2B%2B', 'C%2B%2B'],
  ['100%25-sure', '100%25-sure'],
  ['broken%', 'broken%25'],
] as const)
  test(`the URL segment ${segment} names the page ${name}`, () => assert.equal(nameOfSegment(segment), name))

test('every title round-trips through its file name and its URL name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (title) => {
      const name = nameOfTitle(title)
      fc.pre(name !== 'unnamed')
      assert.equal(titleOf(name), title.trim())
      assert.equal(nameOfFile(fileOf(name)), name)
      assert.equal(nameOfSegment(name), name)
      assert.ok(!fileOf(name).includes('/'))
    }),
  )
})

test('a page can be in a folder, and a file without .md is not a page', () => {
  assert.deepEqual(filesOf('guide%2FIntro'), ['guide%2FIntro.md', 'guide/Intro.md'])
  assert.equal(nameOfFile('picture.png'), undefined)
})

test('dot segments and reserved URL segments cannot be page titles', () => {
  assert.equal(nameOfTitle('.'), 'unnamed')
  assert.equal(nameOfTitle('..'), 'unnamed')
  for (const title of ['_pages', '_new', '_edit', 'raw']) assert.ok(isReserved(nameOfTitle(title)), title)
  assert.ok(!isReserved('_Sidebar'))
})
