#!/usr/bin/env node
/** bloomery <command>. Commands are loaded on demand, so that small ones start fast. */
import '#platform/resolve-imports'

// Only modules that are imported from here on are resolved so.
const { program } = await import('./cli/program.ts')
const commands = program()
try {
  await commands.parseAsync()
} catch (error) {
  const { fail } = await import('./cli/fail.ts')
  fail(error, commands.opts<{ debug: boolean }>().debug)
}
