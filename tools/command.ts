/** Runs the programs of `npm run check`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

/** A test file whose forge could not be started leaves handles open and would never exit. */
const COMMAND_MS_MAX = 1_200_000
const LAST_WORDS_MS_MAX = 5_000

/** Rejects on failure. Output is inherited, or passed to `hear`. */
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
      // Output may still be in the pipe; an orphaned child may keep the pipe open forever.
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
