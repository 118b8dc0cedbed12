/**
 * Suggestions are applied as one commit to the head branch by users who may push there, and their comments are
 * resolved.
 */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { startForge } from '#testing'
import { commit, pullFrom } from '#testing/slices/reviews'
import { splitSuggestion } from './suggestion.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
const REPO = '/repos/ann/ore'
await forge.call('ann', 'POST', '/user/repos', { name: 'ore', auto_init: true, default_branch: 'main' })
const admit = () => forge.call('ann', 'PUT', `${REPO}/collaborators/bob`, { permission: 'write' })
const dismiss = () => forge.call('ann', 'DELETE', `${REPO}/collaborators/bob`)
await admit()
const [ann, bob, eve] = await Promise.all(['ann', 'bob', 'eve'].map((login) => forge.browserOf(login)))
assert.ok(ann && bob && eve)

const suggest = (text: string) => `Better:\n\n\`\`\`suggestion\n${text}\n\`\`\``
const NOT_ALLOWED = 'user is not allowed to update the head branch'
const LINES = 'one\ntwo\nthree\n'

/** Opens a pull request by bob with two files, and adds ann's suggestions for the second line of each. */
async function propose(branch: string) {
  const number = await pullFrom(forge, 'bob', REPO, branch, { files: { 'a.md': LINES, 'b.md': LINES } })
  const comments = ['a.md', 'b.md'].map((path) => ({
    path,
    new_position: 2,
    body: suggest(`TWO of ${path}`),
  }))
  const review = `${REPO}/pulls/${number}/reviews`
  const { body } = await forge.call('ann', 'POST', review, { event: 'COMMENT', comments })
  const remarks = async (): Promise<{ id: number; resolver: { login: string } | null }[]> =>
    (await forge.call('ann', 'GET', `${review}/${body.id}/comments`)).body
  const ids = (await remarks()).map(({ id }) => String(id))
  return {
    page: `/ann/ore/pulls/${number}/files`,
    ids,
    resolvers: async () => (await remarks()).map(({ resolver }) => resolver?.login),
    read: async (path: string) => {
      const { body: file } = await forge.call('ann', 'GET', `${REPO}/contents/${path}?ref=${branch}`)
      return Buffer.from(file.content, 'base64').toString()
    },
    messages: async (): Promise<string[]> =>
      (await forge.call('ann', 'GET', `${REPO}/pulls/${number}/commits`)).body.map(
        (it: { commit: { message: string } }) => it.commit.message,
      ),
  }
}

/** The error message of a refused form. */
async function refusalOf(sent: Promise<{ readonly status: number; readonly text: string }>): Promise<string> {
  const { status, text } = await sent
  assert.equal(status, 422)
  return /<p class="flash bad"[^>]*>([^<]*)</.exec(text)?.[1] ?? ''
}

/** Runs `act` when everything is prepared and the next ref update is about to start. */
function justBefore(act: () => Promise<unknown>): void {
  const { turns } = forge.world
  const { take } = turns
  const spy = mock.method(turns, 'take', async (...asked: Parameters<typeof take>) => {
    spy.mock.restore()
    await act()
    return take.apply(turns, asked)
  })
}

test('two suggestions in two files become one commit and resolve both comments', async () => {
  const { page, ids, read, messages, resolvers } = await propose('both')
  const before = (await messages()).length
  assert.match((await bob.get(page)).text, /Commit suggestion</)
  const applied = await bob.submit(page, 'apply', { id: ids })
  assert.equal(applied.status, 303, applied.text)
  assert.deepEqual(await Promise.all(['a.md', 'b.md'].map(read)), [
    'one\nTWO of a.md\nthree\n',
    'one\nTWO of b.md\nthree\n',
  ])
  const [message = '', ...others] = await messages()
  assert.equal(others.length, before)
  assert.match(message, /^Apply suggestions from code review\n\nCo-authored-by: ann </)
  assert.deepEqual(await resolvers(), ['bob', 'bob'])
})

test("applying one's own suggestion adds no co-author, and the suggestion has followed its line", async () => {
  const { page, ids, read, messages } = await propose('moved')
  await commit(forge, 'bob', REPO, 'moved', { 'a.md': `zero\n${LINES}` })
  assert.equal((await ann.submit(page, 'apply', { id: ids })).status, 303)
  assert.equal(await read('a.md'), 'zero\none\nTWO of a.md\nthree\n')
  assert.equal((await messages())[0]?.trim(), 'Apply suggestions from code review')
})

test('a suggestion on several lines replaces all of them, unless one was changed since', async () => {
  const text = 'one\ntwo\nthree\nfour\nfive\n'
  const number = await pullFrom(forge, 'bob', REPO, 'range', { files: { 'r.md': text } })
  const comments = [
    { path: 'r.md', start_line: 2, new_position: 3, body: suggest('2-3') },
    { path: 'r.md', start_line: 4, new_position: 5, body: '````suggestion\n```js\nfive()\n```\n````' },
    { path: 'r.md', start_line: 3, new_position: 4, body: suggest('both') },
  ]
  const path = `${REPO}/pulls/${number}/reviews`
  const { body: review } = await forge.call('ann', 'POST', path, { event: 'COMMENT', comments })
  const { body: remarks } = await forge.call('ann', 'GET', `${path}/${review.id}/comments`)
  const [first, second, both]: string[] = remarks.map(({ id }: { id: number }) => String(id))
  assert.ok(first && second && both)
  const page = `/ann/ore/pulls/${number}/files`
  const apply = (...id: string[]) => bob.submit(page, 'apply', { id })
  assert.equal(await refusalOf(apply(first, both)), 'suggestions are for the same line')
  // The last line of the comment is as it was, the one before it is not.
  await commit(forge, 'bob', REPO, 'range', { 'r.md': text.replace('two', '2') })
  assert.match(await refusalOf(apply(first, second)), /suggestion no longer applies/)
  await commit(forge, 'bob', REPO, 'range', { 'r.md': `zero\n${text}` })
  assert.equal((await apply(first, second)).status, 303)
  const { body: file } = await forge.call('ann', 'GET', `${REPO}/contents/r.md?ref=range`)
  const applied = Buffer.from(file.content, 'base64').toString()
  assert.equal(applied, 'zero\none\n2-3\n```js\nfive()\n```\n')
})

test('if one line was changed since, no suggestion is applied', async () => {
  const { page, ids, read, resolvers } = await propose('changed')
  await commit(forge, 'bob', REPO, 'changed', { 'a.md': 'one\n2\nthree\n' })
  const refused = await refusalOf(bob.submit(page, 'apply', { id: ids }))
  assert.equal(refused, 'suggestion no longer applies: its line was changed')
  assert.deepEqual(await Promise.all(['a.md', 'b.md'].map(read)), ['one\n2\nthree\n', LINES])
  assert.deepEqual(await resolvers(), [undefined, undefined])
})

test('suggestions of a closed pull request, or of comments elsewhere, are refused', async () => {
  const { page, ids } = await propose('closed')
  const other = await propose('other')
  assert.match(await refusalOf(bob.submit(page, 'apply', { id: other.ids })), /comment .*not/)
  assert.match(await refusalOf(bob.submit(page, 'apply', {})), /remark_ids/)
  await bob.submit(page.replace('/files', ''), 'close', {})
  assert.doesNotMatch((await bob.get(page)).text, /Commit suggestion</)
  assert.equal(await refusalOf(bob.submit(page, 'apply', { id: ids })), 'pull request is closed')
})

test('a user who may not push to the head branch is refused, by permission or by branch protection', async () => {
  const { page, ids, read, resolvers } = await propose('guarded')
  assert.doesNotMatch((await eve.get(page)).text, /Commit suggestion</)
  assert.equal(await refusalOf(eve.submit(page, 'apply', { id: ids })), NOT_ALLOWED)
  await forge.call('ann', 'POST', `${REPO}/branch_protections`, { rule_name: 'guarded', enable_push: false })
  assert.match(await refusalOf(bob.submit(page, 'apply', { id: ids })), /protected branch/)
  assert.equal(await read('a.md'), LINES)
  assert.deepEqual(await resolvers(), [undefined, undefined])
})

test('a collaborator who just lost write access is refused', async () => {
  const { page, ids, read, resolvers } = await propose('lost')
  justBefore(dismiss)
  const refused = await refusalOf(bob.submit(page, 'apply', { id: ids }))
  await admit()
  assert.equal(refused, NOT_ALLOWED)
  assert.equal(await read('a.md'), LINES)
  assert.deepEqual(await resolvers(), [undefined, undefined])
})

test('if the head moved meanwhile, nothing changes', async () => {
  const { page, ids, read, messages, resolvers } = await propose('raced')
  const before = await messages()
  justBefore(() => commit(forge, 'ann', REPO, 'raced', { 'c.md': 'other\n' }))
  assert.match(
    await refusalOf(bob.submit(page, 'apply', { id: ids })),
    /head branch was updated concurrently/,
  )
  assert.equal((await messages()).length, before.length + 1)
  assert.equal(await read('a.md'), LINES)
  assert.deepEqual(await resolvers(), [undefined, undefined])
})

test('in a fork, its owner can apply suggestions and the owner of the base cannot', async () => {
  await forge.call('eve', 'POST', `${REPO}/forks`, {})
  await commit(forge, 'eve', '/repos/eve/ore', 'forked', { 'f.md': LINES })
  const { body: pull } = await forge.call('eve', 'POST', `${REPO}/pulls`, {
    title: 'forked',
    head: 'eve:forked',
    base: 'main',
  })
  const comments = [{ path: 'f.md', new_position: 2, body: suggest('TWO') }]
  const review = `${REPO}/pulls/${pull.number}/reviews`
  const { body } = await forge.call('ann', 'POST', review, { event: 'COMMENT', comments })
  const [remark] = (await forge.call('ann', 'GET', `${review}/${body.id}/comments`)).body
  const page = `/ann/ore/pulls/${pull.number}/files`
  assert.equal(await refusalOf(ann.submit(page, 'apply', { id: String(remark.id) })), NOT_ALLOWED)
  assert.equal((await eve.submit(page, 'apply', { id: String(remark.id) })).status, 303)
  const { body: file } = await forge.call('eve', 'GET', '/repos/eve/ore/contents/f.md?ref=forked')
  assert.equal(Buffer.from(file.content, 'base64').toString(), 'one\nTWO\nthree\n')
})

test('fences that no line closes do not make a comment slow to read', () => {
  const fences = Array.from({ length: 250 }, (_, i) => `${'`'.repeat(252 - i)}suggestion\n`).join('')
  const body = fences.padEnd(65_000, 'x\n')
  const before = process.cpuUsage()
  for (let i = 0; i < 50; i++) assert.equal(splitSuggestion(body), undefined)
  const { user } = process.cpuUsage(before)
  assert.ok(user < 500_000, `${user} µs`)
})
