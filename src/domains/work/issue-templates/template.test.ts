/** The parser of issue templates, forms and config reads valid files and rejects invalid ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config-file.ts'
import { couldBeTemplate } from './files.ts'
import { readTemplate } from './template.ts'

const form = (body: string) => readTemplate('a.yaml', `name: n\nabout: a\nbody:\n${body}`)

test('front matter of a Markdown template is parsed', () => {
  const text = '---\nname: Fault\nabout: broken\nlabels: a, b\nassignees: [ann]\nref: main\n---\nWhat?\n'
  assert.deepEqual(readTemplate('x/fault.md', text), {
    name: 'Fault',
    title: '',
    about: 'broken',
    labels: ['a', 'b'],
    assignees: ['ann'],
    ref: 'main',
    content: 'What?\n',
    body: [],
    file_name: 'x/fault.md',
  })
})

test('a Markdown file without front matter is named after its file; incomplete front matter is invalid', () => {
  assert.equal(readTemplate('x/plain.md', 'Just words')?.name, 'plain.md')
  assert.equal(readTemplate('x/plain.md', '---\n# Title\n---\nwords')?.content, '---\n# Title\n---\nwords')
  assert.equal(readTemplate('x/plain.md', '---\nname: n\n---\nwords'), undefined)
  assert.equal(readTemplate('x/empty.md', ''), undefined)
})

test('omitted properties of a field get defaults', () => {
  const made = form(
    '  - type: markdown\n    attributes: {value: Hi}\n  - type: input\n    attributes: {label: L}',
  )
  assert.deepEqual(
    made?.body.map(({ id, visible, validations }) => [id, visible, validations]),
    [
      ['0', ['form'], null],
      ['1', ['form', 'content'], null],
    ],
  )
})

for (const [what, body] of [
  ['nothing', '  []'],
  ['a field of no known type', '  - type: poem\n    attributes: {label: L}'],
  ['a field without a label', '  - type: input\n    attributes: {}'],
  ['a note without words', '  - type: markdown\n    attributes: {}'],
  ['a choice without options', '  - type: dropdown\n    attributes: {label: L, options: []}'],
  ['a choice among numbers', '  - type: dropdown\n    attributes: {label: L, options: [1, 2]}'],
  ['boxes without labels', '  - type: checkboxes\n    attributes: {label: L, options: [{required: true}]}'],
  ['an id with a blank', '  - type: input\n    id: a b\n    attributes: {label: L}'],
  ['an id that is there twice', '  - {type: input, id: a, attributes: {label: L}}\n'.repeat(2)],
  ['a flag that is a word', '  - {type: input, attributes: {label: L}, validations: {required: "yes"}}'],
  [
    'something required that nobody sees',
    '  - {type: input, attributes: {label: L}, validations: {required: true}, visible: [content]}',
  ],
  ['a place that is none', '  - {type: input, attributes: {label: L}, visible: [wall]}'],
  ['a type from the depths of the language', '  - {type: constructor, attributes: {label: L}}'],
] as const)
  test(`a form with ${what} is invalid`, () => {
    assert.equal(form(body), undefined)
  })

test('a file that expands aliases exponentially is rejected', () => {
  const bomb = [
    'a: &a [x, x]',
    ...[...'bcdefghijk'].map((it, i) => {
      const before = 'abcdefghij'[i]
      return `${it}: &${it} [${Array(10).fill(`*${before}`).join(', ')}]`
    }),
  ].join('\n')
  assert.equal(readTemplate('x.yaml', `name: n\nabout: a\n${bomb}\nbody: *k`), undefined)
  assert.notEqual(readConfig(`${bomb}\ncontact_links: *k`).fault, '')
})

test('which file names can be templates', () => {
  for (const name of ['a.md', 'a.yml', 'a.yaml']) assert.ok(couldBeTemplate(`d/${name}`), name)
  for (const name of ['config.yaml', 'config.yml', 'a.txt', 'md'])
    assert.ok(!couldBeTemplate(`d/${name}`), name)
})

for (const [text, fault] of [
  ['blank_issues_enabled: false', ''],
  ['contact_links: [{name: a, url: "https://x.test", about: b}]', ''],
  ['contact_links: [{name: a, url: "https://x.test"}]', 'contact_link at position 1 is missing about key'],
  ['contact_links: [{name: a, url: nonsense, about: b}]', 'nonsense is not a valid URL'],
  ['contact_links: 5', 'contact_links is not a list'],
  ['blank_issues_enabled: maybe', 'blank_issues_enabled is not a boolean'],
  ['- a', 'file is not valid YAML'],
  ['a: [', 'file is not valid YAML'],
] as const)
  test(`config «${text}»: ${fault || 'valid'}`, () => {
    const read = readConfig(text)
    assert.equal(read.fault, fault)
    if (fault !== '') assert.deepEqual(read.config, { blank_issues_enabled: true, contact_links: [] })
  })
