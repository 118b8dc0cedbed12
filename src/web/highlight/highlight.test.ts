import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlightLines } from './index.ts'
import { languageNames } from './languages.ts'

/** The visible text of markup. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

async function assertSaysTheText(path: string, text: string): Promise<void> {
  const lines = (await highlightLines({}, path, text)).map(String)
  const expected = text.split('\n')
  if (expected.at(-1) === '') expected.pop()
  assert.deepEqual(lines.map(textOf), expected, `${path} ${JSON.stringify(text.slice(0, 200))}`)
  for (const line of lines)
    assert.doesNotMatch(line.replaceAll(/<span class="t[kscftnpr]">|<\/span>/g, ''), /[<>]/)
}

test('tokens of code are wrapped in spans by kind', async () => {
  const lines = await highlightLines({}, 'src/main.ts', 'const a = "<b>" // why\nheat(1_200)\n')
  assert.deepEqual(lines.map(String), [
    '<span class="tk">const </span>a = <span class="ts">&quot;&lt;b&gt;&quot; </span><span class="tc">// why</span>',
    '<span class="tf">heat</span>(<span class="tn">1_200</span>)',
  ])
})

test('the language is detected by file name, extension and first line', () => {
  const first = (path: string, text = '') => languageNames(path, text)[0]
  assert.equal(first('deep/Dockerfile'), 'docker')
  assert.ok(languageNames('Dockerfile.dev', '').includes('docker'))
  assert.equal(first('a/b.PYI'), 'python')
  assert.equal(first('run', '#!/usr/bin/env -S FOO=1 python3.12 -u\n'), 'python')
  assert.equal(first('run', '#!/bin/sh'), 'bash')
  assert.equal(first('constructor'), undefined)
  assert.equal(first('README'), undefined)
})

test('unknown languages and texts that are too large are plain text', async () => {
  for (const [path, text] of [
    ['notes', 'const a = 1\n'],
    ['a.unheard-of', 'const a = 1\n'],
    ['a.__proto__', 'const a = 1\n'],
    ['a.ansi', '\u001b[31mred\n'],
    ['a.ts', 'const a = 1\n'.repeat(20_001)],
    ['a.ts', `const a = '${'x'.repeat(1_000_001)}'`],
  ] as const)
    assert.doesNotMatch((await highlightLines({}, path, text)).slice(0, 3).join('\n'), /<span/, path)
})

/** Deterministic pseudo-random numbers. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const PIECES = [
  '/*', '*/', '//', '"', "'", '`', '${', '}', '{', '(', ')', '<', '>', '</', '<!--', '-->', '<script>', '&', '&amp;',
  '\n', '\r\n', '\r', '\t', ' ', '\0', '\u2028', '\u202e', '\ud800', '\udc00', '😀', 'é', '\u001b[31m', '\\', '\\"', '#', '"""',
  "'''", '<<EOF\n', 'EOF\n', '=begin\n', '%q(', 'r#"', '@', '```js\n', '---\n', '- a: |\n', '#if 0\n', 'function', 'class', '0x', '1e',
  '<?php', '?>', '{{', '}}', '{%', '\\begin{', '/', '/a[/', 'x'.repeat(300), 'x'.repeat(3_000),
] // biome-ignore format: a list of pieces
const ENDINGS =
  `ts js jsx tsx py rb rs go c cpp cs java kt swift php html vue svelte css scss md mdx yaml toml json xml sql
sh fish ps1 pl lua hs ml ex erl clj lisp tex diff ini make dockerfile nix zig proto graphql hbs pug erb r jl f90 pas vim
csv log http po wat v vhdl asm bat tcl awk prolog`.split(/\s+/)

test('highlighting neither loses nor adds a character', async () => {
  const roll = dice(20_26)
  for (const ending of ENDINGS)
    for (let run = 0; run < 12; run++) {
      const text = Array.from({ length: 1 + roll(60) }, () => PIECES[roll(PIECES.length)]).join('')
      await assertSaysTheText(`a.${ending}`, text)
    }
  for (let run = 0; run < 100; run++) {
    const bytes = Buffer.from(Array.from({ length: roll(400) }, () => roll(256)))
    await assertSaysTheText(`a.${ENDINGS[roll(ENDINGS.length)]}`, bytes.toString('utf8'))
    await assertSaysTheText(`a.${ENDINGS[roll(ENDINGS.length)]}`, bytes.toString('latin1'))
  }
})

test('a megabyte of unclosed brackets or quotes is highlighted without loss', async () => {
  for (const piece of ['(', '"', '`${', '/*', '<a ', '{{', '[a](', '\\begin{a}', "'''"])
    for (const ending of ['ts', 'html', 'md', 'py', 'tex'])
      await assertSaysTheText(
        `a.${ending}`,
        `${piece.repeat(100)}\n`.repeat(Math.floor(900_000 / (piece.length * 100 + 1))).slice(0, 999_999),
      )
})
