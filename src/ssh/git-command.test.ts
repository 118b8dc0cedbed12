/** Commands of clients: the few forms that git sends are accepted, and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#platform/problem'
import { parseGitCommand } from './git-command.ts'

for (const [command, verb, repo] of [
  ["git-upload-pack 'ann/open.git'", 'upload-pack', 'open.git'],
  ["git-upload-pack '/ann/open.git'", 'upload-pack', 'open.git'],
  ["git-upload-pack '/ann/open'", 'upload-pack', 'open'],
  ["git-upload-pack 'ann/open.git/'", 'upload-pack', 'open.git'],
  ['git-upload-pack "ann/open.git"', 'upload-pack', 'open.git'],
  ['git-upload-pack ann/open.git', 'upload-pack', 'open.git'],
  ["git upload-pack 'ann/open.git'", 'upload-pack', 'open.git'],
  ["git-receive-pack 'ann/.dotfiles.git'", 'receive-pack', '.dotfiles.git'],
  ["git-receive-pack 'ann/open.wiki.git'", 'receive-pack', 'open.wiki.git'],
  ["git-upload-archive 'ann/-'", 'upload-archive', '-'],
] as const)
  test(`accepted: ${command}`, () => {
    assert.deepEqual(parseGitCommand(command), { verb, owner: 'ann', repo })
  })

for (const [command, verb, operation] of [
  ["git-lfs-authenticate '/ann/open.git' upload", 'lfs-authenticate', 'upload'],
  ['git-lfs-authenticate ann/open.git download', 'lfs-authenticate', 'download'],
  [`git-lfs-authenticate ann/open.git download ${'a'.repeat(64)}`, 'lfs-authenticate', 'download'],
  ["git-lfs-transfer 'ann/open.git' upload", 'lfs-transfer', 'upload'],
] as const)
  test(`accepted: ${command}`, () => {
    assert.deepEqual(parseGitCommand(command), { verb, owner: 'ann', repo: 'open.git', operation })
  })

for (const [name, command, message] of [
  ['an unknown operation of LFS', 'git-lfs-authenticate ann/open.git delete', /no shell/],
  ['an operation of LFS without a path', 'git-lfs-authenticate upload', /no shell/],
  ['a program behind an operation of LFS', "git-lfs-transfer 'ann/open.git' upload; id", /no shell/],
  ['another program of LFS', "git-lfs-push 'ann/open.git' upload", /no shell/],
  ['a way out for LFS', "git-lfs-authenticate '../open.git' upload", /invalid repository path/],
  ['nothing', '', /no shell/],
  ['another program', 'id', /no shell/],
  ['a program with the name of a verb', "/tmp/git-upload-pack 'ann/open.git'", /no shell/],
  ['another verb of git', "git-shell 'ann/open.git'", /no shell/],
  ['another verb of git by itself', 'git push', /no shell/],
  ['a verb without a path', 'git-upload-pack', /no shell/],
  ['a program behind a verb', "git-upload-pack 'ann/open.git'; id", /no shell/],
  ['a program behind a line break', "git-upload-pack 'ann/open.git'\nid", /no shell/],
  ['a line break at the end', "git-upload-pack 'ann/open.git'\n", /no shell/],
  ['a variable in front', "GIT_DIR=/ git-upload-pack 'ann/open.git'", /no shell/],
  ['two paths', "git-upload-pack 'ann/open.git' 'ann/diary.git'", /no shell/],
  ['an open quote', "git-upload-pack 'ann/open.git", /no shell/],
  ['a quote in quotes', "git-upload-pack 'ann/'\\''open.git'", /no shell/],
  ['an option', "git-upload-pack --strict 'ann/open.git'", /no shell/],
  ['an option for a path', "git-upload-pack '--help'", /invalid repository path/],
  ['an empty path', "git-upload-pack ''", /invalid repository path/],
  ['the root', "git-upload-pack '/'", /invalid repository path/],
  ['one name', "git-upload-pack 'ann'", /invalid repository path/],
  ['a home', "git-upload-pack '~ann/open.git'", /invalid repository path/],
  ['a program in the path', "git-upload-pack '$(id)/open'", /invalid repository path/],
  ['a way out', "git-upload-archive '../../../../etc'", /invalid repository path/],
  ['a short way out', "git-upload-pack '../open.git'", /invalid repository path/],
  ['a folder', "git-upload-pack 'ann/..'", /invalid repository path/],
  ['a folder with an ending', "git-upload-pack 'ann/..git'", /invalid repository path/],
  ['an ending without a name', "git-upload-pack 'ann/.git'", /invalid repository path/],
  ['a deep path', "git-upload-pack 'a/ann/open.git'", /invalid repository path/],
  ['two slashes', "git-upload-pack '//ann/open.git'", /invalid repository path/],
  ['letters that look like others', "git-upload-pack 'аnn/open.git'", /invalid repository path/],
  ['a long name', `git-upload-pack 'ann/${'x'.repeat(201)}'`, /invalid repository path/],
] as const)
  test(`refused: ${name}`, () => {
    assert.throws(
      () => parseGitCommand(command),
      (error) => error instanceof Problem && error.kind === 'malformed' && message.test(error.message),
    )
  })

test('any input is refused or names one plain path', () => {
  const words = fc.constantFrom(
    'git-upload-pack ',
    "'",
    '"',
    '/',
    '..',
    '.git',
    ' ',
    ';',
    '$(',
    '\n',
    '\0',
    'ann',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 8 }), (parts) => {
      try {
        const { owner, repo } = parseGitCommand(parts.join(''))
        assert.match(`${owner}/${repo}`, /^[\w.-]+\/[\w.-]+$/)
        assert.ok(!['.', '..', ''].includes(owner) && !['.', '..', ''].includes(repo))
      } catch (error) {
        assert.ok(error instanceof Problem)
      }
    }),
  )
})
