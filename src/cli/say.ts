/** Output of commands: results on standard output and everything else on standard error. */
import { writeSync } from 'node:fs'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2
const READER_PAUSE_MS = 5

/** Ends the process when the reader of its output is gone, as in `bloomery config | head`. */
export function say(line: string): void {
  try {
    write(STANDARD_OUTPUT, line)
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
    process.exit(0)
  }
}

export function tell(line: string): void {
  write(STANDARD_ERROR, line)
}

/** A pipe may take a part of the line, or nothing while its reader is slow. */
function write(descriptor: number, line: string): void {
  let rest = Buffer.from(`${line}\n`)
  while (rest.length > 0)
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error
      // Nothing wakes it: this is how a synchronous function sleeps.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READER_PAUSE_MS)
    }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
