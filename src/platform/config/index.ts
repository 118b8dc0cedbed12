/**
 * Configuration: read once, from the environment and one file, into typed values with known sources.
 *
 * `http.port` is `port` below `[http]` in the file, and `BLOOMERY_HTTP_PORT` in the environment. The environment wins
 * over the file, the file over the default. A secret can also be the content of a file that the environment names.
 */
import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { OperatorError } from '#platform/operator-error'
import { contradictionsIn } from './contradictions.ts'
import { CONFIG_VARIABLE, type Environment, readEnvironment, UNKNOWN_SETTING } from './environment.ts'
import type { Setting, ValueOf } from './setting.ts'
import { SETTINGS } from './settings.ts'

export { settingVariable } from './environment.ts'
export { choice, flag, integer, list, secret, text } from './setting.ts'
export { tomlOf } from './toml.ts'

/** A slice adds its settings here under its name, by declaration merging, and passes them to `loadConfig`. */
export interface SettingsOf {
  platform: typeof SETTINGS
}

type Every<T> = (T extends unknown ? (it: T) => void : never) extends (it: infer All) => void ? All : never
type AllSettings = Every<SettingsOf[keyof SettingsOf]>

export type SettingName = keyof AllSettings & string
export type Config = { readonly [Name in SettingName]: ValueOf<AllSettings[Name]> }
export type Settings = Readonly<Record<string, Setting<unknown>>>

export type Source = 'default' | 'file' | 'environment' | 'command line'

export interface LoadedConfig {
  readonly settings: Settings
  readonly values: Config
  readonly sources: Readonly<Record<SettingName, Source>>
}

const DEFAULT_FILE = 'bloomery.toml'

/** Reads the configuration; reports all errors at once. */
export function loadConfig(
  options: {
    /** Settings of slices. */
    settings?: Settings
    environment?: Environment
    file?: string
    overrides?: Partial<Config>
  } = {},
): LoadedConfig {
  const environment = options.environment ?? process.env
  const settings: Settings = { ...SETTINGS, ...options.settings }
  const mistakes: string[] = []
  const inFile = readFile(options.file ?? environment[CONFIG_VARIABLE], settings, mistakes)
  const inEnvironment = readEnvironment(environment, settings, mistakes)
  const values: Record<string, unknown> = {}
  const sources: Record<string, Source> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const given = pick(name, options.overrides ?? {}, inEnvironment, inFile)
    sources[name] = given.source
    try {
      values[name] = given.source === 'default' ? setting.default : setting.read(given.raw)
    } catch (error) {
      mistakes.push(`${name} (${given.source}): ${(error as Error).message}`)
    }
  }
  if (mistakes.length === 0) mistakes.push(...contradictionsIn(values as Config))
  if (mistakes.length > 0)
    throw new OperatorError(`invalid configuration:\n  ${mistakes.join('\n  ')}`, { mistakes })
  const loaded = { settings, values: values as Config, sources: sources as Record<SettingName, Source> }
  origins.set(loaded.values, loaded)
  return loaded
}

/** Sources of the values of each loaded configuration. */
const origins = new WeakMap<Config, LoadedConfig>()

export interface DescribedSetting {
  readonly name: string
  /** Hidden if it is a secret. */
  readonly value: string
  readonly source: Source
  readonly help: string
}

/** Every setting of a loaded configuration, as shown to operators. */
export function listSettings(config: Config): DescribedSetting[] {
  const loaded = origins.get(config)
  if (loaded === undefined) return []
  return Object.entries(loaded.settings).map(([name, setting]) => {
    const known = name as SettingName
    return { name, value: setting.show(config[known]), source: loaded.sources[known], help: setting.help }
  })
}

/** One line for each setting: name, value, source, help. Secrets are hidden. */
export function describeConfig({ values }: LoadedConfig): string[] {
  return listSettings(values).map(
    ({ name, value, source, help }) => `${name} = ${value}  # ${source}; ${help}`,
  )
}

/** The only variable that child processes inherit besides their settings. */
/** Options of Node that the operator set in the environment. */
export function nodeOptions(): string {
  return process.env.NODE_OPTIONS ?? ''
}

export function searchPath(): { PATH: string } {
  return { PATH: process.env.PATH ?? '' }
}

function pick(
  name: string,
  overrides: Readonly<Record<string, unknown>>,
  environment: Map<string, unknown>,
  file: Map<string, unknown>,
): { source: Source; raw?: unknown } {
  if (overrides[name] !== undefined) return { source: 'command line', raw: overrides[name] }
  if (environment.has(name)) return { source: 'environment', raw: environment.get(name) }
  if (file.has(name)) return { source: 'file', raw: file.get(name) }
  return { source: 'default' }
}

function readFile(path: string | undefined, settings: Settings, mistakes: string[]): Map<string, unknown> {
  const found = new Map<string, unknown>()
  if (path === undefined && !existsSync(DEFAULT_FILE)) return found
  let sections: Record<string, unknown>
  try {
    sections = parse(readFileSync(path ?? DEFAULT_FILE, 'utf8'))
  } catch (error) {
    mistakes.push(`${path ?? DEFAULT_FILE}: ${whyUnread(error as NodeJS.ErrnoException)}`)
    return found
  }
  for (const [section, entries] of Object.entries(sections)) {
    const pairs = typeof entries === 'object' && entries !== null ? Object.entries(entries) : [['', entries]]
    for (const [key, value] of pairs) {
      const name = `${section}.${key}`
      if (name in settings) found.set(name, value)
      else mistakes.push(`${name} (file): ${UNKNOWN_SETTING}`)
    }
  }
  return found
}

/** The parser of TOML shows the place over several lines, after its reason. */
function whyUnread({ code, path, message }: NodeJS.ErrnoException): string {
  if (path !== undefined)
    return `cannot read the file (${code}); name another with --config or BLOOMERY_CONFIG`
  return message.split('\n')[0] ?? ''
}
