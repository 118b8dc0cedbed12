import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePatch, parsePatchText } from './parse.ts'

const SIMPLE = `diff --git a/src/main.ts b/src/main.ts
index 1111111..2222222 100644
--- a/src/main.ts
+++ b/src/main.ts
@@ -1,3 +1,3 @@ function heat() {
 one
-two
+2
 three
\\ No newline at end of file
`

test('a file has hunks with line numbers, headings and lines', () => {
  const [file] = parsePatchText(SIMPLE)
  assert.equal(file?.path, 'src/main.ts')
  assert.equal(file.status, 'modified')
  assert.equal(file.mode, '100644')
  assert.deepEqual(file.hunks, [
    {
      oldStart: 1,
      newStart: 1,
      heading: 'function heat() {',
      lines: [' one', '-two', '+2', ' three', '\\ No newline at end of file'],
    },
  ])
})

test('lines that look like headings are lines while the hunk expects more lines', () => {
  const [file, ...more] = parsePatchText(`diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,2 +1,2 @@
--- a/y
-diff --git a/z b/z
+++ b/y
+@@ -1 +1 @@
`)
  assert.equal(more.length, 0)
  assert.equal(file?.path, 'x')
  assert.deepEqual(file.hunks[0]?.lines, ['--- a/y', '-diff --git a/z b/z', '+++ b/y', '+@@ -1 +1 @@'])
})

test('renamed, mode-changed, new, deleted, binary and oddly named files are told apart', () => {
  const files = parsePatchText(`diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
diff --git a/gone b/gone
deleted file mode 100644
index e69de29..0000000
diff --git a/a b/c.png b/a b/c.png
index 1111111..2222222 100644
Binary files a/a b/c.png and b/a b/c.png differ
diff --git "a/t\\303\\244b\\there" "b/t\\303\\244b\\there"
index 1111111..2222222 100644
--- "a/t\\303\\244b\\there"
+++ "b/t\\303\\244b\\there"
@@ -0,0 +1 @@
+x
`)
  assert.deepEqual(
    files.map(({ path, oldPath, status, mode, isBinary }) => [path, oldPath, status, mode, isBinary]),
    [
      ['new name.txt', 'old name.txt', 'renamed', '', false],
      ['run.sh', null, 'modified', '100755', false],
      ['empty', null, 'added', '100644', false],
      ['gone', null, 'deleted', '', false],
      ['a b/c.png', null, 'modified', '100644', true],
      ['täb\there', null, 'modified', '100644', false],
    ],
  )
})

test('a file that is too large is truncated, and the next one is complete', () => {
  const many = Array.from({ length: 30_000 }, (_, i) => `+${i}\n`).join('')
  const [large, small] = parsePatchText(
    `diff --git a/l b/l\n--- a/l\n+++ b/l\n@@ -0,0 +1,30000 @@\n${many}${SIMPLE}`,
  )
  assert.equal(large?.isCut, true)
  assert.equal(large.hunks[0]?.lines.length, 20_000)
  assert.equal(small?.isCut, false)
  assert.equal(small.hunks[0]?.lines.length, 5)
})

/** Deterministic pseudo-random numbers. */
function* random(seed: number): Generator<number> {
  let state = seed
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state
  }
}

const PIECES = [
  'diff --git a/x b/x\n',
  '--- a/x\n',
  '+++ b/x\n',
  '@@ -1,2 +1,3 @@ heading\n',
  '@@ -0,0 +99999999999999999999 @@\n',
  '+added\n',
  '-removed\n',
  ' kept\n',
  '\\ No newline at end of file\n',
  'rename from "\\777\\\n',
  'Binary files differ\n',
  'old mode \n',
  '\n',
  '\u0000\u202e\r',
  '"',
  'index zz..yy\n',
]

test('the parser never fails, and the result does not depend on how the input is chunked', async () => {
  const numbers = random(7)
  const next = (below: number) => (numbers.next().value as number) % below
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: next(40) }, () => PIECES[next(PIECES.length)]).join('')
    const whole = parsePatchText(text)
    const bytes = Buffer.from(text)
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + next(20)
        yield bytes.subarray(at, at + size)
        at += size
      }
    }
    assert.deepEqual(await Array.fromAsync(parsePatch(chunks())), whole)
  }
})

test('every line of a well-formed patch is kept unchanged', () => {
  const numbers = random(11)
  const next = (below: number) => (numbers.next().value as number) % below
  for (let round = 0; round < 200; round++) {
    const marks = Array.from({ length: 1 + next(30) }, () => ' +-'[next(3)] ?? ' ')
    const lines = marks.map((mark) => `${mark}${PIECES[next(PIECES.length)]?.trimEnd()}`.replaceAll('\n', ''))
    const old = marks.filter((it) => it !== '+').length
    const now = marks.filter((it) => it !== '-').length
    const head = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,${old} +1,${now} @@\n`
    const [file] = parsePatchText(`${head}${lines.join('\n')}\n`)
    assert.deepEqual(file?.hunks[0]?.lines, lines)
  }
})
