#!/usr/bin/env node
/** bloomery <command>. Commands are loaded on demand, so that small ones start fast. */
import { program } from './cli/program.ts'

await program().parseAsync()
