/** Output of commands: results on standard output and everything else on standard error. */
import { writeSync } from 'node:fs'

export function say(line: string): void {
  writeSync(1, `${line}\n`)
}

export function tell(line: string): void {
  writeSync(2, `${line}\n`)
}
