/** Tables of which events trigger a workflow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Happening, matches, matchesPaths } from './matches.ts'
import { fitsOne } from './patterns.ts'
import { readTriggers } from './triggers.ts'

const PATTERNS: readonly [patterns: string[], fitting: string[], others: string[]][] = [
  [['main'], ['main'], ['Main', 'mains', 'a/main']],
  [['feature/*'], ['feature/a'], ['feature/a/b', 'feature']],
  [['feature/**'], ['feature/a', 'feature/a/b'], ['feature']],
  [['*'], ['main'], ['a/b']],
  [['**'], ['main', 'a/b'], []],
  [['*feature'], ['my-feature', 'feature'], ['feature-1']],
  [['v2*'], ['v2', 'v2.0'], ['v1']],
  [['v[12].[0-9]+.[0-9]+'], ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1.a.0']],
  [['*.jsx?'], ['page.js', 'page.jsx'], ['page.ts', 'a/page.js']],
  [['docs/*'], ['docs/a.md'], ['docs/a/b.md']],
  [['**/docs/**'], ['docs/a.md', 'x/docs/a/b.md'], ['docs', 'xdocs/a']],
  [['**/*-post.md'], ['my-post.md', 'x/their-post.md'], ['post.md']],
  [['**.js'], ['index.js', 'src/js/app.js'], ['a.jsx']],
  [['*', '!main'], ['dev'], ['main']],
  [['*.md', '!README.md', 'README*'], ['hello.md', 'README.md', 'README.doc'], ['a.txt']],
  [['!main'], [], ['main', 'dev']],
  [['[ab'], ['[ab'], ['a']],
  [['a\\*'], ['a*'], ['ab']],
]
for (const [patterns, fitting, others] of PATTERNS)
  test(`${patterns.join(' ')} matches the names it should and no others`, () => {
    assert.deepEqual(
      fitting.filter((name) => !fitsOne(patterns, name)),
      [],
      'these should fit',
    )
    assert.deepEqual(
      others.filter((name) => fitsOne(patterns, name)),
      [],
      'these should not',
    )
  })

const branch = (name: string): Happening => ({ event: 'push', type: null, branch: name })
const tag = (name: string): Happening => ({ event: 'push', type: null, tag: name })
const pull = (type: string, base = 'main'): Happening => ({ event: 'pull_request', type, branch: base })

const EVENTS: readonly [on: unknown, happening: Happening, starts: boolean | undefined][] = [
  ['push', branch('main'), true],
  ['push', tag('v1'), true],
  ['push', pull('opened'), false],
  [['push', 'pull_request'], pull('opened'), true],
  [{ push: null }, branch('x'), true],
  [{ push: { branches: ['main'] } }, branch('main'), true],
  [{ push: { branches: 'main' } }, branch('dev'), false],
  [{ push: { branches: ['main'] } }, tag('main'), false],
  [{ push: { tags: ['v*'] } }, tag('v1'), true],
  [{ push: { tags: ['v*'] } }, branch('v1'), false],
  [{ push: { branches: ['main'], tags: ['v*'] } }, tag('v1'), true],
  [{ push: { 'branches-ignore': ['wip/**'] } }, branch('wip/a'), false],
  [{ push: { 'branches-ignore': ['wip/**'] } }, branch('main'), true],
  [{ push: { 'tags-ignore': ['v*'] } }, tag('w1'), true],
  [{ push: { paths: ['src/**'] } }, branch('main'), undefined],
  [{ push: { paths: ['src/**'] } }, tag('v1'), true],
  ['pull_request', pull('opened'), true],
  ['pull_request', pull('synchronize'), true],
  ['pull_request', pull('closed'), false],
  [{ pull_request: { types: ['closed'] } }, pull('closed'), true],
  [{ pull_request: { types: ['closed'] } }, pull('opened'), false],
  [{ pull_request: { branches: ['release/*'] } }, pull('opened', 'release/1'), true],
  [{ pull_request: { branches: ['release/*'] } }, pull('opened', 'main'), false],
  ['issues', { event: 'issues', type: 'closed' }, true],
  [{ issues: { types: ['opened'] } }, { event: 'issues', type: 'closed' }, false],
  [
    { workflow_run: { workflows: ['ci'] } },
    { event: 'workflow_run', type: 'completed', workflow: 'ci' },
    true,
  ],
  [
    { workflow_run: { workflows: ['ci'] } },
    { event: 'workflow_run', type: 'completed', workflow: 'cd' },
    false,
  ],
]
for (const [on, happening, starts] of EVENTS)
  test(`${JSON.stringify(on)} and ${JSON.stringify(happening)}: ${starts ?? 'depends on paths'}`, () => {
    const said = readTriggers(on).map((it) => matches(it, happening))
    assert.equal(said.includes(true) ? true : said.includes(undefined) ? undefined : false, starts)
  })

const PATHS: readonly [filter: object, paths: string[], starts: boolean][] = [
  [{ paths: ['src/**'] }, ['src/a', 'b'], true],
  [{ paths: ['src/**'] }, ['b'], false],
  [{ paths: ['src/**', '!src/docs/**'] }, ['src/docs/a'], false],
  [{ paths: ['src/**', '!src/docs/**'] }, ['src/docs/a', 'src/b'], true],
  [{ 'paths-ignore': ['docs/**'] }, ['docs/a'], false],
  [{ 'paths-ignore': ['docs/**'] }, ['docs/a', 'b'], true],
  [{ paths: ['**'] }, [], false],
]
for (const [filter, paths, starts] of PATHS)
  test(`${JSON.stringify(filter)} and ${paths.join(' ')}: ${starts}`, () => {
    const [trigger] = readTriggers({ push: filter })
    assert.ok(trigger)
    assert.equal(matchesPaths(trigger, paths), starts)
  })
