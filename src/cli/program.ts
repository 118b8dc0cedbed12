/** The commands, their options and their one-line descriptions. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { VERSION } from '#platform/version'

export function program(): Command {
  const root = new Command('bloomery')
    .description('A git forge whose nodes hold no truth.')
    .version(VERSION)
    .option('--config <file>', 'configuration file (default: bloomery.toml, where there is one)')
  root
    .command('serve')
    .description('serve the forge')
    .addOption(new Option('--role <role>', 'only a part of it').choices(['http', 'worker']))
    .option('--workers <n>', 'processes that share the port', wholeNumber, 1)
    .action(async (options) => (await import('./commands/serve.ts')).serve(configFile(root), options))
  root
    .command('migrate')
    .description('bring the database up to this version')
    .action(async () => (await import('./commands/migrate.ts')).migrateCommand(configFile(root)))
  root
    .command('config')
    .description('print every setting, its value and where it came from')
    .action(async () => (await import('./commands/config.ts')).printConfig(configFile(root)))
  root
    .command('backup')
    .description('run the commands of a backup while nothing is deleted from the object store')
    .argument('<command...>', 'after --, with its arguments')
    .action(async (words: string[]) => (await import('./commands/backup.ts')).backup(configFile(root), words))
  doctorCommand(root)
  tryCommand(root)
  repositoryCommand(root)
  jobsCommand(root)
  adminCommand(root)
  return root
}

function doctorCommand(root: Command): void {
  const doctor = root
    .command('doctor')
    .description('look at everything the forge stands on; say what is wrong and what to do')
    .action(async () => (await import('./commands/doctor.ts')).doctor(configFile(root)))
  doctor
    .command('repository')
    .description('hold a repository against every byte in the store')
    .argument('[which]', 'owner/name, or the number of a storage')
    .option('--all', 'all of them', false)
    .action(async (which: string | undefined, options) =>
      (await import('./commands/doctor-repository.ts')).doctorRepository(configFile(root), which, options),
    )
}

function tryCommand(root: Command): void {
  root
    .command('try')
    .description('start a complete forge to look at, with a database of its own; gone when it ends')
    .option('--port <n>', 'port of the first node', wholeNumber, 3000)
    .option('--ssh-port <n>', 'port of SSH', wholeNumber)
    .option('--nodes <n>', 'processes on one database and store, on consecutive ports', wholeNumber, 1)
    .addOption(
      new Option('--store <driver>', 'where objects are kept').choices(['disk', 's3']).default('disk'),
    )
    .option('--data <folder>', 'keep the data in this folder')
    .action(async (options) => (await import('./commands/try.ts')).tryForge(options))
}

function repositoryCommand(root: Command): void {
  const repository = root.command('repository').description('repositories that were deleted')
  repository
    .command('deleted')
    .description('list those that can be taken back')
    .action(async () => (await import('./commands/repository.ts')).printDeleted(configFile(root)))
  repository
    .command('undelete')
    .description('take a deletion back')
    .argument('<which>', 'owner/name, or the number of one that was deleted')
    .option('--as <name>', 'under another name')
    .action(async (which: string, options) =>
      (await import('./commands/repository.ts')).undelete(configFile(root), which, options),
    )
}

function jobsCommand(root: Command): void {
  const jobs = root.command('jobs').description('jobs that were given up')
  jobs
    .command('dead')
    .description('list them')
    .action(async () => (await import('./commands/jobs.ts')).printDead(configFile(root)))
  jobs
    .command('requeue')
    .description('give them all their tries back')
    .argument('[id...]', 'numbers of jobs; all of them when there is none')
    .action(async (ids: string[]) => (await import('./commands/jobs.ts')).requeueDead(configFile(root), ids))
}

function adminCommand(root: Command): void {
  const admin = root.command('admin').description('administration')
  admin
    .command('badge')
    .description('make a badge that administrators can give')
    .argument('<slug>')
    .option('--description <text>', 'what it is for', '')
    .option('--image-url <address>', 'its picture', '')
    .action(async (slug, options) =>
      (await import('./commands/admin-user.ts')).badge(configFile(root), slug, options),
    )
  userCommands(root, admin.command('user').description('people'))
}

function userCommands(root: Command, user: Command): void {
  user
    .command('create')
    .description('create a person')
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .option('--password <password>', 'made up and printed when absent')
    .option('--admin', 'an administrator', false)
    .option('--must-change-password', 'at the first sign-in', false)
    .action(async (options) => (await import('./commands/admin-user.ts')).create(configFile(root), options))
  user
    .command('password')
    .description('set a new password')
    .argument('<name>')
    .argument('[password]', 'made up and printed when absent')
    .action(async (name, password) =>
      (await import('./commands/admin-user.ts')).password(configFile(root), name, password),
    )
  user
    .command('second-factor')
    .description('enroll a second factor (prints its secret once), or drop it')
    .argument('<name>')
    .addOption(new Option('--drop', 'drop it').default(false))
    .action(async (name, { drop }) =>
      (await import('./commands/admin-user.ts')).secondFactor(configFile(root), name, drop),
    )
  user
    .command('token')
    .description('make an access token and print it')
    .argument('<name>')
    .option('--name <token name>', 'what it is for', 'command line')
    .option('--scopes <list>', 'comma-separated', 'all')
    .action(async (name, options) =>
      (await import('./commands/admin-user.ts')).token(configFile(root), name, options),
    )
}

function configFile(root: Command): string | undefined {
  return root.opts<{ config?: string }>().config
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number')
  return value
}
