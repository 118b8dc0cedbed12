/** Parses `.editorconfig`. */
import { globOf } from '#platform/patterns'

export type Definition = Readonly<Record<string, string>>

const SECTION = /^\[(.+)\]$/
const SETTING = /^([^=:\s]+)\s*[=:]\s*(.*)$/
const NAMES = new Set([
  'charset',
  'indent_style',
  'indent_size',
  'tab_width',
  'end_of_line',
  'trim_trailing_whitespace',
  'insert_final_newline',
])
const SECTIONS_MAX = 1_000

/** The settings of all sections that match the path; later sections override earlier ones. */
export function definitionOf(text: string, path: string): Definition {
  const settings: Record<string, string> = {}
  let isOurs = false
  let sections = 0
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const glob = SECTION.exec(line)?.[1]
    if (glob !== undefined) {
      sections += 1
      isOurs = sections <= SECTIONS_MAX && isMatch(glob, path)
      continue
    }
    const [, name = '', value = ''] = SETTING.exec(line) ?? []
    if (isOurs && NAMES.has(name.toLowerCase())) settings[name.toLowerCase()] = value.trim().toLowerCase()
  }
  return settings
}

const GLOB_LENGTH_MAX = 500

/** A pattern without a slash matches in every folder. */
function isMatch(glob: string, path: string): boolean {
  if (glob.length > GLOB_LENGTH_MAX) return false
  const name = path.slice(path.lastIndexOf('/') + 1)
  return globOf(glob.replace(/^\//, ''), '/')(glob.includes('/') ? path : name)
}
