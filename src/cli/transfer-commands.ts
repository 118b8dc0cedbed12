/** Commands that carry repositories, or the whole forge, in and out. */
import type { Command } from 'commander'
import { addMoveIn } from './move-in-program.ts'
import { addPeopleOptions } from './people-options.ts'

export function transferCommands(root: Command, configFile: () => string | undefined): void {
  addMoveIn(root, configFile)
  root
    .command('backup')
    .description(
      'save the forge to a folder, or run your own backup command, while object deletion is paused',
    )
    .argument('[command...]', 'your own command and its arguments, after --')
    .option('--to <folder>', 'folder of the backup; one that has an earlier backup gets only new objects')
    .action(async (words: string[], options) =>
      (await import('./commands/backup.ts')).backup(configFile(), words, options),
    )
  root
    .command('restore')
    .description('fill an empty database and an empty object store from a backup')
    .argument('<folder>', 'folder of the backup')
    .action(async (folder: string) => (await import('./commands/restore.ts')).restore(configFile(), folder))
  exportCommand(root, configFile)
  importCommand(root, configFile)
}

function exportCommand(root: Command, configFile: () => string | undefined): void {
  root
    .command('export')
    .description('write repositories to a folder as git bundles, JSON lines and files')
    .argument('<which>', 'owner/name, or an owner for all repositories')
    .argument('<folder>', 'folder of the export, which must be new or empty')
    .action(async (which: string, folder: string) =>
      (await import('./commands/export.ts')).exportTo(configFile(), which, folder),
    )
}

function importCommand(root: Command, configFile: () => string | undefined): void {
  const command = root
    .command('import')
    .description('create the repositories of an export')
    .argument('<folder>', 'folder of the export')
    .option(
      '--into <owner>',
      'user or organization that gets them (default: the same login as in the export)',
    )
    .option('--by <login>', 'person who creates them, if the owner is an organization')
    .option('--missing', 'leave out the repositories whose names are taken, as after an interruption')
  addPeopleOptions(command).action(async (folder: string, options) =>
    (await import('./commands/import.ts')).importFrom(configFile(), folder, options),
  )
}
