/** `npm run prove:merges <count>`: the proof of merges at the given length. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const test = join(import.meta.dirname, 'merges.test.ts')
const env = { ...process.env, MERGES: process.argv[2] ?? '1000' }
const child = spawn(process.execPath, ['--test', test], { stdio: 'inherit', env })
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
