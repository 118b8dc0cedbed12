/** The commands below `bloomery move-in`. */
import type { Command } from 'commander'
import { addPeopleOptions } from './people-options.ts'

const ORGANIZATIONS = [
  ['github', '--organization <name>', 'an organization of GitHub'],
  ['gitlab', '--group <path>', 'a group of GitLab with its subgroups'],
] as const

export function addMoveIn(root: Command, file: () => string | undefined): void {
  const moveIn = root.command('move-in').description('move in from another forge')
  moveIn
    .command('gitea')
    .alias('forgejo')
    .description('move a whole Gitea or Forgejo into a forge that was never used; again for the difference')
    .requiredOption('--app-ini <file>', 'configuration file of the other server')
    .option('--dry-run', 'only count what would be moved and what would stay', false)
    .action(async (options) => (await import('./commands/move-in.ts')).moveIn(file(), options))
  for (const [service, flag, what] of ORGANIZATIONS) {
    const command = moveIn
      .command(service)
      .description(`start an import for each repository of ${what} that is not here yet`)
      .requiredOption(flag, what)
      .requiredOption('--token-file <file>', 'tokens, one in each line, used by turns')
      .requiredOption('--into <owner>', 'user or organization that gets the repositories')
      .option('--by <user>', 'owner of that organization who imports them')
      .option('--api <url>', 'address of the API, if it is not the public one')
      .option('--dry-run', 'only list what would be started', false)
    addPeopleOptions(command).action(async (options) =>
      (await import('./commands/move-organization.ts')).moveOrganizationIn(file(), service, options),
    )
  }
}
