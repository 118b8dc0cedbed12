/**
 * Modules of libraries that islands import, as their packages publish them, but without comments and indentation, which
 * are a third of their bytes. They keep their names, as in `modules/@codemirror/view`. Browsers know no names of packages, and an import
 * map would need a hash in the policy, which turns speculation rules off; so imports get relative paths.
 */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Languages that the editor highlights; each is loaded when a file needs it. */
const MODES = [
  ...['clike', 'cmake', 'clojure', 'css', 'diff', 'dockerfile', 'elm', 'erlang', 'go', 'groovy', 'haskell'],
  ...['javascript', 'julia', 'lua', 'nginx', 'perl', 'powershell', 'properties', 'protobuf', 'python', 'r'],
  ...['ruby', 'rust', 'sass', 'shell', 'sql', 'stex', 'swift', 'tcl', 'toml', 'xml', 'yaml'],
]

const IMPORTED = [
  '@codemirror/commands',
  '@codemirror/language',
  '@codemirror/search',
  '@codemirror/state',
  '@codemirror/view',
  '@lezer/highlight',
  '@lezer/markdown',
  ...MODES.map((name) => `@codemirror/legacy-modes/mode/${name}`),
]

const FOLDER = 'modules/'
const IMPORT = /^((?:import|export)\b[^'";]*?\bfrom\s*['"])([^'"]+)/gm
/** Islands also load modules when they are needed; their names may have a variable end. */
const LATE_IMPORT = /(\bimport\(['"`])(@[^'"`]+)/g
/** Comments that have their lines for themselves. */
const COMMENT = /^[ \t]*(?:\/\*(?:[^*]|\*(?!\/))*\*\/[ \t]*|\/\/.*)\n/gm
const INDENTATION = /^[ \t]+/gm

/** Texts by asset name: what islands import, and what that imports. */
export function readModules(): Map<string, string> {
  const modules = new Map<string, string>()
  const wanted = IMPORTED.map((name) => ({ name, url: import.meta.resolve(name) }))
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    const { name, url } = next
    if (modules.has(FOLDER + name)) continue
    const text = readFileSync(fileURLToPath(url), 'utf8')
    for (const [, , other = ''] of text.matchAll(IMPORT))
      if (isRelative(other))
        wanted.push({ name: posix.join(name, '..', other), url: `${new URL(other, url)}` })
      else wanted.push({ name: other, url: import.meta.resolve(other) })
    modules.set(FOLDER + name, withRelativeImports(FOLDER + name, shorten(text)))
  }
  return modules
}

/** The same program. That no comment or indentation is inside a string is tested for each module. */
export function shorten(text: string): string {
  return text.replace(COMMENT, '').replace(INDENTATION, '')
}

/** Names of packages become paths from the asset to the modules. */
export function withRelativeImports(asset: string, text: string): string {
  const up = '../'.repeat(asset.split('/').length - 1)
  const link = (whole: string, before: string, name: string) =>
    isRelative(name) ? whole : `${before}${up}${FOLDER}${name}`
  return text.replace(IMPORT, link).replace(LATE_IMPORT, link)
}

function isRelative(name: string): boolean {
  return name.startsWith('.')
}
