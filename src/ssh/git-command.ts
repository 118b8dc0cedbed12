/** Parses the command of a client strictly: one git command and the path of one repository. */
import { Problem } from '#platform/problem'

export type Verb = 'upload-pack' | 'receive-pack' | 'upload-archive'

export interface GitCommandLine {
  readonly verb: Verb
  readonly owner: string
  readonly repo: string
}

/** Clients quote the path for a shell; there is no shell here, so nothing inside the quotes is special. */
const COMMAND = /^git[- ](upload-pack|receive-pack|upload-archive) (?:'([^']*)'|"([^"]*)"|([^\s'"]+))$/
const PATH = /^\/?([\w.-]{1,200})\/([\w.-]{1,200})\/?$/

export function parseGitCommand(command: string): GitCommandLine {
  const [, verb, single, double, bare] = COMMAND.exec(command) ?? []
  if (verb === undefined) throw new Problem('malformed', 'not a git command: there is no shell access')
  const [, owner = '', repo = ''] = PATH.exec(single ?? double ?? bare ?? '') ?? []
  if (!isName(owner) || !isName(repo.replace(/\.git$/, '')))
    throw new Problem('malformed', 'invalid repository path')
  return { verb: verb as Verb, owner, repo }
}

/** Excludes names that a file system would take for another folder, though no path ever gets that far. */
function isName(name: string): boolean {
  return !/^\.*$/.test(name)
}
