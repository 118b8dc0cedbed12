/** `bloomery doctor`: checks everything the forge depends on, and reports faults with their remedies. */
import { examine } from '../doctor/examine.ts'
import { loadConfig } from '../load-config.ts'
import { say } from '../say.ts'

const STATE_LENGTH = 8

/** Exits with 1 if there is an error; warnings are for the operator to judge. */
export async function doctor(file: string | undefined): Promise<void> {
  const config = loadConfig(file === undefined ? {} : { file }).values
  for await (const { state, name, text } of examine(config)) {
    if (state === 'error') process.exitCode = 1
    say(`${state.padEnd(STATE_LENGTH)}${name}: ${text}`)
  }
}
