#!/usr/bin/env node
/** bloomery <command>. Each command is loaded when it is asked for, so that the small ones start at once. */
import { program } from './cli/program.ts'

await program().parseAsync()
