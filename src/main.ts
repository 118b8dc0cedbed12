#!/usr/bin/env node
/** bloomery <command>. Commands are loaded on demand, so that small ones start fast. */
import { program } from './cli/program.ts'

const commands = program()
try {
  await commands.parseAsync()
} catch (error) {
  const { fail } = await import('./cli/fail.ts')
  fail(error, commands.opts<{ debug: boolean }>().debug)
}
