/** Runs a command as an operator would: `bloomery WORDS`, as a process of its own with the settings of a test's forge. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { searchPath, settingVariable } from '#platform/config'
import type { World } from '#platform/context'
import { COMPILE_CACHE } from '../cli/node-process.ts'
import { sharedSettings } from './settings-beside.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** `more` are further settings, also such that do not exist. */
export function runCommand(
  world: World,
  words: readonly string[],
  more: Readonly<Record<string, string | number>> = {},
): Promise<Ended> {
  const settings = { ...sharedSettings(world), ...more }
  const environment = Object.entries(settings).map(([name, value]) => [settingVariable(name), String(value)])
  const env = { ...searchPath(), NODE_COMPILE_CACHE: COMPILE_CACHE, ...Object.fromEntries(environment) }
  return new Promise((resolve) =>
    execFile(process.execPath, [MAIN, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )
}
