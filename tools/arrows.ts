/** Checks imports against architecture.ts, and fails if the tool examined no file. */
import { execFile } from 'node:child_process'
import { glob } from 'node:fs/promises'

interface Report {
  readonly summary: {
    readonly totalCruised: number
    readonly violations: readonly { from: string; to: string; rule: { name: string; severity: string } }[]
  }
}

const files = await Array.fromAsync(glob('src/**/*.ts'))
const report = await cruise()
const { totalCruised, violations } = report.summary
for (const { rule, from, to } of violations) console.log(`${rule.severity} ${rule.name}: ${from} → ${to}`)
console.log(`${totalCruised} modules, ${violations.length} violations`)
if (violations.length > 0 || totalCruised < files.length) process.exitCode = 1

function cruise(): Promise<Report> {
  const options = { maxBuffer: 256 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    execFile(
      'depcruise',
      ['src', '-T', 'json', '--config', '.dependency-cruiser.mjs'],
      options,
      (error, stdout) => {
        try {
          resolve(JSON.parse(stdout) as Report)
        } catch {
          reject(error ?? new Error('depcruise said nothing'))
        }
      },
    )
  })
}
