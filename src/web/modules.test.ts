/** Modules of libraries reach browsers as the same programs, with imports that browsers can follow. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { readModules, shorten, withRelativeImports } from './modules.ts'

/** Kinds of nodes and texts of tokens, in order. */
function programOf(name: string, text: string): string {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS)
  const parts: string[] = []
  const walk = (node: ts.Node): void => {
    parts.push(ts.isToken(node) ? node.getText(file) : String(node.kind))
    ts.forEachChild(node, walk)
  }
  walk(file)
  return parts.join('\n')
}

const modules = readModules()

test('a module without comments and indentation is the same program', () => {
  const bare = [...modules.keys()].map((it) => it.slice('modules/'.length))
  for (const name of bare.filter((it) => !it.endsWith('.js'))) {
    const text = readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')
    const served = shorten(text)
    assert.ok(programOf(name, served) === programOf(name, text), name)
    assert.doesNotMatch(served, /^\s*\/\//m, name)
  }
})

test('every import of a module leads to another one', () => {
  for (const [name, text] of modules)
    for (const [, to = ''] of text.matchAll(/^(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)/gm)) {
      const path = posix.join(name, '..', to)
      assert.ok(to.startsWith('.') && modules.has(path), `${name} imports ${to}`)
    }
})

test('islands import modules by relative paths', () => {
  const text = `import { EditorView } from '@codemirror/view'\nimport { edit } from './file-editor.ts'\nawait import(\`@lezer/\${name}\`)\n`
  assert.equal(
    withRelativeImports('islands/x.ts', text),
    text.replaceAll(/@(codemirror|lezer)/g, '../modules/@$1'),
  )
})
