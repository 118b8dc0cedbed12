/** Output of commands: results on standard output and everything else on standard error. */
import { writeSync } from 'node:fs'

/** Ends the process when nobody reads its output any more, as in `bloomery config | head`. */
export function say(line: string): void {
  try {
    writeSync(1, `${line}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
    process.exit(0)
  }
}

export function tell(line: string): void {
  writeSync(2, `${line}\n`)
}
