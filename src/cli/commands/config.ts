/** `bloomery config`: every setting, its value and its source; as a TOML file on request. */
import { describeConfig, tomlOf } from '#platform/config'
import { loadConfig } from '../load-config.ts'
import { say } from '../say.ts'

export function printConfig(file: string | undefined, { toml }: { readonly toml: boolean }): void {
  const loaded = loadConfig(file === undefined ? {} : { file })
  for (const line of toml ? tomlOf(loaded) : describeConfig(loaded)) say(line)
}
