/** Imports are resolved as Node resolves them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { COMPILE_CACHE } from '../../cli/node-process.ts'

const run = promisify(execFile)
const OURS = import.meta.resolve('./resolve-imports.ts')
/** Imports all slices, the web interface and the API. */
const FORGE = import.meta.resolve('../../cli/forge.ts')
const OUTPUT_BYTES_MAX = 16_000_000

test('all modules of a forge are resolved as Node resolves them', async () => {
  const [expected, resolved] = await Promise.all([resolveAll([]), resolveAll([`--import=${OURS}`])])
  assert.ok(expected.length > 10_000, `${expected.length} imports`)
  assert.deepEqual(new Set(resolved), new Set(expected))
})

test('a module that does not exist is an error that names it', async () => {
  const program = `await import(${JSON.stringify(`${OURS}.no-such-module.ts`)})`
  const args = [`--import=${OURS}`, '--input-type=module', '--eval', program]
  await assert.rejects(run(process.execPath, args), /no-such-module\.ts/)
})

/** One line for each import: where, what, and the address and format that it was resolved to. */
async function resolveAll(options: readonly string[]): Promise<string[]> {
  const program = `import { registerHooks } from 'node:module'
    const lines = []
    registerHooks({ resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isModule = context.conditions.includes('import')
      if (isModule) lines.push([context.parentURL, specifier, found.url, found.format ?? ''].join(' '))
      return found
    } })
    await import(${JSON.stringify(FORGE)})
    console.log(lines.join('\\n'))`
  const args = [...options, '--input-type=module', '--eval', program]
  // The hook under test must be registered by the command line alone.
  const env = { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: COMPILE_CACHE }
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: OUTPUT_BYTES_MAX })
  return stdout.trim().split('\n')
}
