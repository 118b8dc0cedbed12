/**
 * Settings in the environment: `BLOOMERY_HTTP_PORT` is `http.port`, and `BLOOMERY_SECRETS_KEYS_FILE` names a file that
 * holds the secret `secrets.keys`.
 */
import { readFileSync } from 'node:fs'
import { isServiceLink } from './service-links.ts'
import type { Setting } from './setting.ts'

const PREFIX = 'BLOOMERY_'
const FILE_SUFFIX = '_FILE'
export const UNKNOWN_SETTING = 'unknown setting; `bloomery config` lists them all'
/** Names the configuration file. */
export const CONFIG_VARIABLE = `${PREFIX}CONFIG`

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment variable of a setting. */
export function settingVariable(name: string): string {
  return PREFIX + name.replace('.', '_').toUpperCase()
}

/** The variable that names the file of a secret. */
export function secretFileVariable(name: string): string {
  return settingVariable(name) + FILE_SUFFIX
}

/** The texts of all settings in the environment, by name. */
export function readEnvironment(
  environment: Environment,
  settings: Readonly<Record<string, Setting<unknown>>>,
  mistakes: string[],
): Map<string, unknown> {
  const names = Object.keys(settings)
  const known = new Map(names.map((name) => [settingVariable(name), name]))
  const files = new Map(
    names.filter((name) => settings[name]?.isSecret).map((name) => [secretFileVariable(name), name]),
  )
  const found = new Map<string, unknown>()
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || variable === CONFIG_VARIABLE || value === undefined) continue
    if (isServiceLink(variable, value)) continue
    const name = known.get(variable) ?? files.get(variable)
    if (name === undefined) mistakes.push(`${variable}: ${UNKNOWN_SETTING}`)
    else if (!files.has(variable)) found.set(name, value)
    else if (environment[settingVariable(name)] !== undefined)
      mistakes.push(`${variable}: ${settingVariable(name)} is set too; remove one of them`)
    else found.set(name, readSecret(variable, value, mistakes))
  }
  return found
}

/** Programs that write such files end them with a line feed, which is not part of the secret. */
function readSecret(variable: string, path: string, mistakes: string[]): string {
  try {
    const content = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (content === '') mistakes.push(`${variable}: the file ${path} is empty`)
    return content
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const remedy = code === 'EACCES' ? '; run this as the user of the forge, or let this user read it' : ''
    mistakes.push(`${variable}: cannot read the file ${path} (${code})${remedy}`)
    return ''
  }
}
