/** The configuration as a TOML file to start from. */
import { stringify } from 'smol-toml'
import { secretFileVariable } from './environment.ts'
import type { Setting } from './setting.ts'

interface Loaded {
  readonly settings: Readonly<Record<string, Setting<unknown>>>
  readonly values: Readonly<Record<string, unknown>>
  readonly sources: Readonly<Record<string, string>>
}

/** Every setting with its help. Values that were given are set, except secrets; defaults are comments. */
export function tomlOf({ settings, values, sources }: Loaded): string[] {
  const sections = Object.groupBy(Object.entries(settings), ([name]) => name.split('.')[0] ?? '')
  return Object.entries(sections).flatMap(([section, entries = []]) => [
    `[${section}]`,
    ...entries.flatMap(([name, setting]) => [
      '',
      `# ${setting.help}`,
      ...(setting.isSecret ? [secretHint(name)] : []),
      sources[name] !== 'default' && !setting.isSecret
        ? assignment(name, values[name])
        : `#${assignment(name, setting.default)}`,
    ]),
    '',
  ])
}

function secretHint(name: string): string {
  return `# A secret: better the content of a file that ${secretFileVariable(name)} names.`
}

function assignment(name: string, value: unknown): string {
  return stringify({ [name.slice(name.indexOf('.') + 1)]: value }).trim()
}
