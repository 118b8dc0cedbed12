/** Review comments follow their lines over the versions of a pull request. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
let git: GitClient
const REPO = '/repos/ann/anvil'
const NUMBERED = Array.from({ length: 30 }, (_, i) => `this is line ${i + 1}`)
const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`

before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })
  git = await GitClient.open(forge, 'ann', 'ann/anvil')
  await git.commit('base.txt', textOf(NUMBERED))
  await git.ok('push', '--quiet', 'origin', 'main')
})
after(async () => {
  await git[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

interface Remark {
  readonly path: string
  readonly new_position?: number
  readonly old_position?: number
  readonly start_line?: number
}
interface Shown {
  readonly path: string
  readonly position: number
  readonly start_line?: number
  readonly original_position: number
  readonly commit_id: string
  readonly original_commit_id: string
  readonly outdated: boolean
}

/** Opens a pull request with one review comment; returns functions to push to it and to read the comment. */
async function remarkOn(
  branch: string,
  lines: readonly string[],
  { path, ...at }: Omit<Remark, 'path'> & { readonly path?: string },
) {
  const name = path ?? `${branch}.txt`
  await git.ok('checkout', '--quiet', '-B', branch, 'main')
  const first = await git.commit(name, textOf(lines))
  await push(branch)
  const opened = { title: branch, head: branch, base: 'main' }
  const { number } = (await forge.call('ann', 'POST', `${REPO}/pulls`, opened)).body
  const reviews = `${REPO}/pulls/${number}/reviews`
  const remark = { path: name, body: 'look here', ...at }
  const review = await forge.call('bob', 'POST', reviews, { event: 'COMMENT', comments: [remark] })
  assert.equal(review.status, 200)
  const look = async (): Promise<Shown> => {
    await forge.runJobs()
    const { body } = await forge.call(null, 'GET', `${reviews}/${review.body.id}/comments`)
    return body[0]
  }
  return { number, name, first, look }
}

const push = (branch: string, ...more: string[]) => git.ok('push', '--quiet', ...more, 'origin', branch)

test('a comment stays on its line when lines are added above it', async () => {
  const { look, name, first } = await remarkOn('above', NUMBERED, { new_position: 7 })
  const before = await look()
  assert.deepEqual([before.position, before.commit_id, before.original_commit_id], [7, first, ''])
  const head = await git.commit(name, textOf(['new', 'newer', ...NUMBERED]))
  await push('above')
  const shown = await look()
  assert.deepEqual([shown.position, shown.outdated, shown.commit_id], [9, false, head])
  assert.equal(shown.original_commit_id, first)
})

test('a comment follows its file when renamed and changed, over several pushes', async () => {
  const { look, name } = await remarkOn('renamed', NUMBERED, { new_position: 20 })
  await git.ok('mv', name, 'elsewhere.txt')
  await git.commit('elsewhere.txt', textOf(['top', ...NUMBERED]))
  await push('renamed')
  assert.deepEqual(place(await look()), ['elsewhere.txt', 21, false])
  await git.commit('elsewhere.txt', textOf(['top', ...NUMBERED.slice(3)]))
  await push('renamed')
  assert.deepEqual(place(await look()), ['elsewhere.txt', 18, false])
})

const place = ({ path, position, outdated }: Shown) => [path, position, outdated]

test('a comment on a changed line is outdated at its original place, and current again when the line returns', async () => {
  const { look, name, first } = await remarkOn('changed', NUMBERED, { new_position: 5 })
  await git.commit(name, textOf(NUMBERED.with(4, 'something else')))
  await push('changed')
  const outdated = await look()
  assert.deepEqual(place(outdated), [name, 5, true])
  assert.equal(outdated.commit_id, first)
  await git.commit(name, textOf(['again', ...NUMBERED]))
  await push('changed')
  assert.deepEqual(place(await look()), [name, 6, false])
})

test('a comment is outdated when its file is deleted', async () => {
  const { look, name } = await remarkOn('deleted', NUMBERED, { new_position: 5 })
  await git.ok('rm', '--quiet', name)
  await git.commit('other.txt', 'other\n')
  await push('deleted')
  assert.deepEqual(place(await look()), [name, 5, true])
})

test('a comment survives a force push that rewrites all commits', async () => {
  const { look, name } = await remarkOn('forced', NUMBERED, { new_position: 12 })
  await git.ok('checkout', '--quiet', '-B', 'forced', 'main')
  await git.commit('other.txt', 'first something else\n')
  const head = await git.commit(name, textOf(['// a new heading', ...NUMBERED, 'end']))
  await push('forced', '--force')
  const shown = await look()
  assert.deepEqual(place(shown), [name, 13, false])
  assert.equal(shown.commit_id, head)
})

test('a comment on several lines follows them, and begins with the first line that is left', async () => {
  const { look, name } = await remarkOn('several', NUMBERED, { start_line: 5, new_position: 8 })
  const range = ({ start_line, position, outdated }: Shown) => [start_line, position, outdated]
  const written = await look()
  assert.deepEqual(range(written), [5, 8, false])
  const texts = [5, 6, 7, 8].map((line) => `\n+this is line ${line}`)
  assert.equal((written as { diff_hunk?: string }).diff_hunk, `@@ -0,0 +5,4 @@${texts.join('')}`)
  const pushed = async (lines: readonly string[]) => {
    await git.commit(name, textOf(lines))
    await push('several')
    return range(await look())
  }
  assert.deepEqual(await pushed(['new', ...NUMBERED]), [6, 9, false])
  assert.deepEqual(await pushed(['new', ...NUMBERED.toSpliced(4, 2, 'other')]), [7, 8, false])
  assert.deepEqual(await pushed(['new', ...NUMBERED.toSpliced(4, 3, 'other')]), [undefined, 7, false])
  // The last line is gone: outdated, with the range it was written on.
  assert.deepEqual(await pushed(NUMBERED.toSpliced(7, 1)), [5, 8, true])
  // Moved to the end: found by its text.
  const moved = [...NUMBERED.toSpliced(4, 4), ...NUMBERED.slice(4, 8)]
  assert.deepEqual(await pushed(moved), [27, 30, false])
})

test('a comment on several lines is refused unless they are in one hunk and on one side', async () => {
  const changed = NUMBERED.with(1, 'second').with(24, 'twenty-fifth')
  const { number } = await remarkOn('refused', changed, { path: 'base.txt', new_position: 1 })
  const asked = (at: Partial<Remark>) =>
    forge.call('bob', 'POST', `${REPO}/pulls/${number}/reviews`, {
      event: 'COMMENT',
      comments: [{ path: 'base.txt', body: 'x', ...at }],
    })
  for (const [at, message] of [
    [{ start_line: 3, new_position: 3 }, 'start_line must be before the position'],
    [{ start_line: 4, old_position: 3 }, 'start_line must be before the position'],
    [{ start_line: 4 }, 'start_line must be before the position'],
    [{ start_line: 1, old_position: 2, new_position: 2 }, 'start_line needs one position'],
    [{ start_line: 1, new_position: 25 }, 'lines are not in one hunk of the diff'],
    [{ start_line: 10, new_position: 12 }, 'lines are not in one hunk of the diff'],
    [{ start_line: 2, new_position: 700 }, 'comment is on too many lines'],
  ] as const) {
    const { status, body } = await asked(at)
    assert.deepEqual([status, body.message], [422, message])
  }
  assert.equal((await asked({ start_line: 1, old_position: 2 })).status, 200)
  assert.equal((await asked({ start_line: 0, new_position: 2 })).status, 200)
})

test('a comment on a moved line is found by the text of the line', async () => {
  const { look, name } = await remarkOn('moved', NUMBERED, { new_position: 3 })
  const [one, two, three, ...others] = NUMBERED
  await git.commit(name, textOf([...others, one ?? '', two ?? '', three ?? '']))
  await push('moved')
  assert.deepEqual(place(await look()), [name, 30, false])
})

test('a comment on a removed line stays with the base', async () => {
  const { look, number } = await remarkOn('removed', NUMBERED.toSpliced(9, 1), {
    path: 'base.txt',
    old_position: 10,
  })
  const written = await look()
  assert.deepEqual([written.original_position, written.position, written.outdated], [10, 0, false])
  await git.ok('checkout', '--quiet', 'main')
  await git.commit('base.txt', textOf(['a heading', ...NUMBERED]))
  await git.ok('push', '--quiet', 'origin', 'main:other')
  await forge.call('ann', 'PATCH', `${REPO}/pulls/${number}`, { base: 'other' })
  await git.ok('checkout', '--quiet', 'removed')
  await git.ok('merge', '--quiet', 'main')
  await push('removed')
  await git.ok('branch', '--force', 'main', 'origin/main')
  const shown = await look()
  assert.deepEqual([shown.original_position, shown.outdated], [11, false])
})

test('a comment on a line that does not exist is outdated from the start', async () => {
  const { look, name } = await remarkOn('beyond', NUMBERED, { new_position: 99 })
  assert.deepEqual(place(await look()), [name, 99, true])
  await git.commit('other.txt', 'more\n')
  await push('beyond')
  assert.deepEqual(place(await look()), [name, 99, true])
})

test('comments of a review of an older version are shown where their lines are now', async () => {
  const { number, name, first } = await remarkOn('older', NUMBERED, { new_position: 1 })
  const head = await git.commit(name, textOf(['new', ...NUMBERED]))
  await push('older')
  const comments = [{ path: name, body: 'on the first version', new_position: 4 }]
  const path = `${REPO}/pulls/${number}/reviews`
  const body = { event: 'APPROVED', commit_id: first, comments }
  const review = await forge.call('bob', 'POST', path, body)
  assert.deepEqual([review.body.commit_id, review.body.stale], [first, true])
  const [shown] = (await forge.call(null, 'GET', `${path}/${review.body.id}/comments`)).body
  assert.deepEqual([shown.position, shown.commit_id, shown.original_commit_id], [5, head, first])
  const main = await git.ok('rev-parse', 'main')
  for (const [commit_id, status] of [
    [main, 200],
    ['f'.repeat(40), 422],
    ['main', 422],
    ['--upload-pack=x', 422],
  ])
    assert.equal((await forge.call('bob', 'POST', path, { event: 'APPROVED', commit_id })).status, status)
})

test('a review is no longer stale when its head returns', async () => {
  const { number, name, first } = await remarkOn('back', NUMBERED, { new_position: 1 })
  const path = `${REPO}/pulls/${number}/reviews`
  const stale = async () =>
    (await forge.call(null, 'GET', path)).body.map((it: { stale: boolean }) => it.stale)
  await git.commit(name, textOf(['new', ...NUMBERED]))
  await push('back')
  assert.deepEqual(await stale(), [true])
  await git.ok('reset', '--quiet', '--hard', first)
  await push('back', '--force')
  assert.deepEqual(await stale(), [false])
})

test('a comment on a removed line follows to another base', async () => {
  await git.ok('checkout', '--quiet', '-B', 'ground', 'main')
  await git.commit('base.txt', textOf(['a heading', ...NUMBERED]))
  await push('ground')
  await git.ok('checkout', '--quiet', '-B', 'aimed', 'ground')
  await git.commit('base.txt', textOf(['a heading', ...NUMBERED.toSpliced(9, 1)]))
  await push('aimed')
  const opened = { title: 'aimed', head: 'aimed', base: 'main' }
  const { number } = (await forge.call('ann', 'POST', `${REPO}/pulls`, opened)).body
  const path = `${REPO}/pulls/${number}/reviews`
  const comments = [{ path: 'base.txt', body: 'why not?', old_position: 10 }]
  const { id } = (await forge.call('bob', 'POST', path, { event: 'COMMENT', comments })).body
  const look = async () => {
    await forge.runJobs()
    const [shown] = (await forge.call(null, 'GET', `${path}/${id}/comments`)).body
    return [shown.original_position, shown.outdated]
  }
  assert.deepEqual(await look(), [10, false])
  await forge.call('ann', 'PATCH', `${REPO}/pulls/${number}`, { base: 'ground' })
  assert.deepEqual(await look(), [11, false])
})
