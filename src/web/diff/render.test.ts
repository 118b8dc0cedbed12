import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeFiles } from './files.ts'
import { parsePatchText } from './parse.ts'
import { renderFile } from './render.ts'
import { type Diff, diffOfText } from './source.ts'
import { compareWords } from './words.ts'

function patchOf(lines: readonly string[], path: string): string {
  const old = lines.filter((it) => it[0] !== '+').length
  const now = lines.filter((it) => it[0] !== '-').length
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -9,${old} +9,${now} @@ heat\n${lines.join('\n')}\n`
}

async function render(lines: readonly string[], path = 'x.txt'): Promise<string> {
  const [file] = parsePatchText(patchOf(lines, path))
  assert(file !== undefined)
  return (await renderFile(file)).markup
}

test('a line is one element, its numbers are an attribute, and changes are grouped', async () => {
  assert.equal(
    await render([' a', '-b', '+c', ' d']),
    '<p>⋯ heat</p><span data-l="  9   9   ">a</span><div><del data-l=" 10     - ">b</del><ins data-l="     10 + ">c</ins></div><span data-l=" 11  11   ">d</span>',
  )
})

test('changed words are marked, except in lines that have little in common', async () => {
  const markup = await render(['-const heat = 20', '+const heat = 25', ' ', '-alpha beta', '+one two three'])
  assert.match(markup, /const heat = <b>20<\/b><\/del>/)
  assert.match(markup, /const heat = <b>25<\/b><\/ins>/)
  assert.match(markup, /">alpha beta<\/del>/)
})

test('user text is escaped, and bidirectional control characters are made visible', async () => {
  const markup = await render(['-<script>alert("1")</script>', '+<script>alert("\u202e2")</script>'])
  assert.ok(!markup.includes('<script'))
  assert.match(markup, /<bdi data-u="U\+202E">/)
  assert.match(markup, /&lt;script&gt;/)
})

test('a missing newline at the end of file is shown', async () => {
  assert.match(
    await render(['-a', '\\ No newline at end of file', '+a']),
    /a<i>no newline at end of file<\/i><\/del>/,
  )
})

test('word marks close around tags and reopen after them', async () => {
  const markup = await render(['-heat = "a<b" + 1 + two', '+heat = "a>b" + 2 + two'], 'x.ts')
  assert.match(markup, /<span class="ts">&quot;a<b>&lt;<\/b>b&quot; <\/span>\+ <span class="tn"><b>1<\/b> /)
})

test('moved lines are distinguished from new ones', async () => {
  const block = ['export function heat() {', '', '  return furnace.heat()', '}']
  const markup = await render([
    ...block.map((it) => `-${it}`),
    ' between',
    '+written anew',
    ...block.map((it) => `+${it}`),
    '-}',
    '-}',
    '-}',
    ' between',
    '+}',
    '+}',
    '+}',
  ])
  assert.equal(markup.match(/<del [^>]* class="moved"/g)?.length, 4)
  assert.equal(markup.match(/<ins [^>]* class="moved"/g)?.length, 4)
  assert.match(markup, /<ins data-l="[^"]*">written anew/)
})

const line = (text: string) => ({ text: `(${text})`, from: 1, to: text.length + 1 })

test("words are compared by Myers' algorithm, in lines that are slices of a text", () => {
  const compare = (old: string, now: string) => compareWords(line(old), line(now))
  assert.deepEqual(compare('a b c', 'a x c'), { removed: [3, 4], added: [3, 4] })
  assert.deepEqual(compare('call(one)', 'call(one, two)'), { removed: [], added: [9, 14] })
  assert.deepEqual(compare('größe = 1', 'größe = 2'), { removed: [9, 10], added: [9, 10] })
  assert.deepEqual(compare('die größe = 1', 'die größer = 1'), { removed: [5, 10], added: [5, 11] })
  assert.deepEqual(compare('a x b y c z', 'a b q c z w'), { removed: [3, 5, 7, 8], added: [5, 6, 10, 12] })
  assert.equal(compare('word '.repeat(400), 'other '.repeat(400)), undefined)
  assert.equal(compare('x'.repeat(9) + ' y'.repeat(240), 'x'.repeat(9) + ' z'.repeat(240)), undefined)
})

const MANY = Array.from({ length: 10_000 }, (_, i) => {
  const mark = ' -+'[i % 3]
  return `${mark}  const value${Math.floor(i / 3)} = compute(${i}, 'text', { deep: true }) // ${mark}`
})

/** CPU time per 1,000 lines, the minimum of several rounds, because other load can only add to it. */
async function leastOf(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    await work(round)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000 / 10)
  }
  return least
}

test('rendering a thousand lines takes less than 25 ms of CPU', async (t) => {
  await render(MANY.slice(0, 1_000), 'warm.ts')
  const least = await leastOf(5, (round) => render(MANY, `${round}.ts`))
  t.diagnostic(`${least.toFixed(1)} ms of CPU per 1,000 lines`)
  assert.ok(least < 25)
})

test('a second request is served from the cache without calling git', async (t) => {
  const diff = diffOfText(patchOf(MANY, 'x.ts'))
  let asked = 0
  const patches = () => {
    asked += 1
    return diff.patches()
  }
  const counted: Diff = { ...diff, patches }
  const write = async () => (await Array.fromAsync(writeFiles(counted, diff.files, () => ({})))).join('')
  const first = await write()
  const least = await leastOf(3, async () => assert.equal(await write(), first))
  assert.equal(asked, 1)
  t.diagnostic(`${least.toFixed(2)} ms of CPU per 1,000 lines`)
  assert.ok(least < 5)
})
