/** Programs that `npm run check` runs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

/** Files whose forge could not be started leave others open behind them, and would never end. */
const COMMAND_MS_MAX = 1_200_000
const LAST_WORDS_MS_MAX = 5_000

/** Rejects when it fails. What it says is shown at once, or heard by `hear`. */
export function command(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  hear?: (text: string) => void,
): Promise<void> {
  const output = hear === undefined ? 'inherit' : 'pipe'
  const stdio = ['inherit', output, output] as const
  const env = { ...process.env, ...environment }
  const child = spawn(program, args, { stdio: [...stdio], env, timeout: COMMAND_MS_MAX })
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => hear?.(text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', async (code, signal) => {
      // What it said last may still be on its way; what it left behind may keep the pipe open for ever.
      await Promise.race([once(child, 'close'), setTimeout(LAST_WORDS_MS_MAX)])
      if (code === 0) resolve()
      else reject(new Error(`${program} ended with ${code ?? signal}`))
    })
  })
}

export function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(text))
  })
}
