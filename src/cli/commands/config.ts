/** `bloomery config`: every setting, its value and its source. */
import { describeConfig } from '#platform/config'
import { loadConfig } from '../load-config.ts'
import { say } from '../say.ts'

export function printConfig(file: string | undefined): void {
  for (const line of describeConfig(loadConfig(file === undefined ? {} : { file }))) say(line)
}
