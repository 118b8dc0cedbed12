/** Running git: no output is lost, and no process outlives its request. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Forge, startForge } from '#testing'
import { argumentsOf } from './command.ts'
import { GitFailure, gitText, runGit, startGit } from './run.ts'

let forge: Forge
let path = ''
before(async () => {
  forge = await startForge()
  path = await mkdtemp(join(tmpdir(), 'bloomery-run-'))
  await runGit(forge.ctx, { name: 'init', flags: ['--quiet', '--bare'] }, { path })
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await rm(path, { recursive: true })
})

test('a reader that starts long after git has ended still gets every byte', async () => {
  const git = startGit(forge.ctx, { name: 'version' }, { path })
  await git.done
  await sleep(50)
  let text = ''
  for await (const chunk of git.output) text += String(chunk)
  assert.match(text, /^git version /)
})

test('user input is never parsed as a flag', () => {
  const args = argumentsOf({ name: 'log', flags: ['--oneline'], words: ['--output=x'], paths: ['-p'] })
  assert.deepEqual(args, ['log', '--oneline', '--end-of-options', '--output=x', '--', '-p'])
})

test('the stderr of git is part of its failure', async () => {
  await assert.rejects(gitText(forge.ctx, { name: 'rev-parse', words: ['nonsense'] }, { path }), GitFailure)
})

test('output above the limit is refused, and git is killed', async () => {
  await assert.rejects(
    runGit(forge.ctx, { name: 'version' }, { path, outputBytesMax: 3 }),
    /output is too large/,
  )
})

test('git is killed when its request is aborted', async () => {
  const controller = new AbortController()
  const git = startGit(
    { ...forge.ctx, signal: controller.signal },
    { name: 'cat-file', flags: ['--batch'] },
    { path, input: neverEnding() },
  )
  await sleep(50)
  controller.abort()
  await assert.rejects(git.done, /ended with null/)
})

test('git for an already aborted request ends at once', async () => {
  const gone = { ...forge.ctx, signal: AbortSignal.abort() }
  const git = startGit(gone, { name: 'cat-file', flags: ['--batch'] }, { path, input: neverEnding() })
  await assert.rejects(git.done, /ended with null/)
  for await (const chunk of git.output) assert.equal(chunk.length, 0)
})

test('git is killed after its timeout', async () => {
  const git = startGit(
    forge.ctx,
    { name: 'cat-file', flags: ['--batch'] },
    { path, input: neverEnding(), timeoutMs: 100 },
  )
  await assert.rejects(git.done, /ended with null/)
})

function neverEnding(): PassThrough {
  return new PassThrough()
}
