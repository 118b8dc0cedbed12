/** The commands, their options and their one-line descriptions. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { VERSION } from '#platform/version'
import { collect } from './people-options.ts'
import { tell } from './say.ts'
import { transferCommands } from './transfer-commands.ts'

export function program(): Command {
  const root = new Command('bloomery')
    .description('A git forge with stateless nodes on PostgreSQL and object storage')
    .version(VERSION)
    .option('--config <file>', 'configuration file (default: bloomery.toml, if it exists)')
    .option('--debug', 'print the stack of every error', false)
  root
    .command('serve')
    .description('start the server')
    .addOption(new Option('--role <role>', 'run only this role').choices(['http', 'worker']))
    .option('--workers <n>', 'number of processes that share the port', positiveNumber, 1)
    .action(async (options) => (await import('./commands/serve.ts')).serve(configFile(root), options))
  root
    .command('migrate')
    .description('apply pending database migrations')
    .action(async () => (await import('./commands/migrate.ts')).migrateCommand(configFile(root)))
  root
    .command('config')
    .description('print every setting with its value and source')
    .option('--toml', 'print a configuration file to start from, without secrets', false)
    .action(async (options) => (await import('./commands/config.ts')).printConfig(configFile(root), options))
  transferCommands(root, () => configFile(root))
  doctorCommand(root)
  auditCommand(root)
  tryCommand(root)
  repositoryCommand(root)
  jobsCommand(root)
  usageCommand(root)
  secretsCommand(root)
  adminCommand(root)
  return root
}

function doctorCommand(root: Command): void {
  const doctor = root
    .command('doctor')
    .description('check the installation and report problems with their solutions')
    .action(async () => (await import('./commands/doctor.ts')).doctor(configFile(root)))
  doctor
    .command('repository')
    .description('verify the integrity of a repository')
    .argument('[which]', 'owner/name, or a storage ID')
    .option('--all', 'verify all repositories', false)
    .action(async (which: string | undefined, options) =>
      (await import('./commands/doctor-repository.ts')).doctorRepository(configFile(root), which, options),
    )
  doctor
    .command('audit')
    .description('verify that no audit record was removed, changed or added')
    .action(async () => (await import('./commands/audit.ts')).doctorAudit(configFile(root)))
}

function auditCommand(root: Command): void {
  root
    .command('audit')
    .description('print audit records as JSON lines, oldest first')
    .option('--limit <n>', 'number of older records', wholeNumber, 100)
    .option('--follow', 'keep printing new records', false)
    .action(async (options) => (await import('./commands/audit.ts')).printAudit(configFile(root), options))
}

function tryCommand(root: Command): void {
  root
    .command('try')
    .description('start a temporary forge with its own database for evaluation')
    .option('--port <n>', 'HTTP port of the first node', wholeNumber, 3000)
    .option('--ssh-port <n>', 'SSH port', wholeNumber)
    .option('--nodes <n>', 'number of nodes, on consecutive ports', wholeNumber, 1)
    .addOption(new Option('--store <driver>', 'object store driver').choices(['disk', 's3']).default('disk'))
    .option('--data <folder>', 'data directory to keep (default: a temporary one)')
    .option('--demo', 'fill it with people, repositories, issues, pull requests, runs and packages', false)
    .addOption(
      new Option('--log-level <level>', 'minimum log level of the nodes')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('warn'),
    )
    .option('--postgres <folder>', 'directory of PostgreSQL binaries (default: the newest installed)')
    .option('--set <name=value>', 'any other setting of the nodes; may be repeated', collect, [])
    .action(async (options) => {
      // Loading all code for the first time takes seconds.
      tell('loading the forge …')
      await (await import('./commands/try.ts')).tryForge(options)
    })
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
  const jobs = root.command('jobs').description('manage dead jobs')
  jobs
    .command('dead')
    .description('list dead jobs')
    .action(async () => (await import('./commands/jobs.ts')).printDead(configFile(root)))
  jobs
    .command('requeue')
    .description('requeue dead jobs')
    .argument('[id...]', 'job IDs (default: all dead jobs)')
    .action(async (ids: string[]) => (await import('./commands/jobs.ts')).requeueDead(configFile(root), ids))
}

function usageCommand(root: Command): void {
  root
    .command('usage')
    .description('storage of owners')
    .command('recount')
    .description('count the bytes of every owner again, and print what was counted wrong')
    .action(async () => (await import('./commands/usage.ts')).recountUsage(configFile(root)))
}

function secretsCommand(root: Command): void {
  const secrets = root.command('secrets').description('rotate the keys that encrypt secrets (secrets.keys)')
  secrets
    .command('status')
    .description('count the secrets by the key that encrypts them')
    .action(async () => (await import('./commands/secrets.ts')).printStatus(configFile(root)))
  secrets
    .command('reseal')
    .description('encrypt all secrets with the first key, so that the others can be removed')
    .action(async () => (await import('./commands/secrets.ts')).resealAll(configFile(root)))
}

function adminCommand(root: Command): void {
  const admin = root.command('admin').description('administer the forge')
  admin
    .command('badge')
    .description('create a badge')
    .argument('<slug>')
    .option('--description <text>', 'description of the badge', '')
    .option('--image-url <address>', 'image URL of the badge', '')
    .action(async (slug, options) =>
      (await import('./commands/admin-user.ts')).badge(configFile(root), slug, options),
    )
  admin
    .command('mail')
    .description('send a test mail')
    .argument('<address>')
    .action(async (address: string) =>
      (await import('./commands/admin-mail.ts')).sendTestMail(configFile(root), address),
    )
  authCommands(root, admin.command('auth').description('manage authentication sources'))
  userCommands(root, admin.command('user').description('manage users'))
  authorCommands(
    root,
    admin.command('authors').description('say which users authors of imported records are'),
  )
}

function authorCommands(root: Command, authors: Command): void {
  const commands = () => import('./commands/admin-authors.ts')
  authors
    .command('list')
    .description('list authors who are no user here, with the ids of their forge and their own')
    .option('--host <address>', 'only of this forge, such as https://github.com')
    .option('--name <name>', 'only of this name, in any case')
    .option('--all', 'also those who are a user here', false)
    .action(async (options) => (await commands()).list(configFile(root), options))
  authors
    .command('assign')
    .description('make the records of an author those of a user')
    .argument('<host>', 'id of the forge', wholeNumber)
    .argument('<author>', 'id of the author', wholeNumber)
    .argument('<username>')
    .action(async (host: number, author: number, username: string) =>
      (await commands()).assign(configFile(root), host, author, username),
    )
  authors
    .command('release')
    .description('take the records of an author back')
    .argument('<host>', 'id of the forge', wholeNumber)
    .argument('<author>', 'id of the author', wholeNumber)
    .action(async (host: number, author: number) =>
      (await commands()).release(configFile(root), host, author),
    )
}

function authCommands(root: Command, auth: Command): void {
  const commands = () => import('./commands/admin-auth.ts')
  auth
    .command('list')
    .description('list authentication sources')
    .action(async () => (await commands()).list(configFile(root)))
  auth
    .command('add')
    .description('add an authentication source')
    .argument('<file>', 'JSON as for POST /admin/auths')
    .action(async (settings: string) => (await commands()).add(configFile(root), settings))
  auth
    .command('edit')
    .description('edit an authentication source')
    .argument('<name>')
    .argument('<file>', 'JSON as for PATCH /admin/auths/{id}')
    .action(async (name: string, settings: string) =>
      (await commands()).edit(configFile(root), name, settings),
    )
  auth
    .command('delete')
    .description('delete an authentication source without accounts')
    .argument('<name>')
    .action(async (name: string) => (await commands()).remove(configFile(root), name))
  scimCommands(root, auth.command('scim').description('manage SCIM tokens of an authentication source'))
}

function scimCommands(root: Command, scim: Command): void {
  const commands = () => import('./commands/admin-scim.ts')
  scim
    .command('list')
    .description('list the SCIM tokens of a source')
    .argument('<source>')
    .action(async (source: string) => (await commands()).list(configFile(root), source))
  scim
    .command('create')
    .description('create a SCIM token and print it')
    .argument('<source>')
    .argument('<name>')
    .action(async (source: string, name: string) => (await commands()).create(configFile(root), source, name))
  scim
    .command('revoke')
    .description('revoke a SCIM token')
    .argument('<source>')
    .argument('<name>')
    .action(async (source: string, name: string) => (await commands()).revoke(configFile(root), source, name))
}

function userCommands(root: Command, user: Command): void {
  user
    .command('create')
    .description('create a user')
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .option('--password <password>', 'password (default: generated and printed)')
    .option('--admin', 'make the user an administrator', false)
    .option('--must-change-password', 'require a password change at the first sign-in', false)
    .action(async (options) => (await import('./commands/admin-user.ts')).create(configFile(root), options))
  user
    .command('password')
    .description('change the password of a user')
    .argument('<name>')
    .argument('[password]', 'password (default: generated and printed)')
    .action(async (name, password) =>
      (await import('./commands/admin-user.ts')).password(configFile(root), name, password),
    )
  user
    .command('second-factor')
    .description('enable two-factor authentication (prints the secret once), or disable it')
    .argument('<name>')
    .addOption(new Option('--drop', 'disable two-factor authentication').default(false))
    .action(async (name, { drop }) =>
      (await import('./commands/admin-user.ts')).secondFactor(configFile(root), name, drop),
    )
  user
    .command('token')
    .description('create an access token and print it')
    .argument('<name>')
    .option('--name <token name>', 'name of the token', 'command line')
    .option('--scopes <list>', 'comma-separated token scopes', 'all')
    .action(async (name, options) =>
      (await import('./commands/admin-user.ts')).token(configFile(root), name, options),
    )
}

function configFile(root: Command): string | undefined {
  return root.opts<{ config?: string }>().config
}

function positiveNumber(text: string): number {
  const value = wholeNumber(text)
  if (value === 0) throw new InvalidArgumentError('must be at least 1')
  return value
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('must be a non-negative integer')
  return value
}
