/** Parses the command of a client strictly: one git command and the path of one repository. */
import type { LfsOperation } from '#domains/code/lfs'
import { Problem } from '#platform/problem'

export type Verb = 'upload-pack' | 'receive-pack' | 'upload-archive'

export interface GitCommandLine {
  readonly verb: Verb
  readonly owner: string
  readonly repo: string
}

/** `git-lfs-authenticate`, or `git-lfs-transfer` of clients that use no HTTP. */
export interface LfsCommandLine {
  readonly verb: 'lfs-authenticate' | 'lfs-transfer'
  readonly owner: string
  readonly repo: string
  readonly operation: LfsOperation
}

/** Clients quote the path for a shell; there is no shell here, so nothing inside the quotes is special. */
const QUOTED = String.raw`(?:'([^']*)'|"([^"]*)"|([^\s'"]+))`
const COMMAND = new RegExp(`^git[- ](upload-pack|receive-pack|upload-archive) ${QUOTED}$`)
/** Compat: old clients send the digest of an object after the operation. */
const LFS = new RegExp(`^git-(lfs-authenticate|lfs-transfer) ${QUOTED} (upload|download)(?: [0-9a-f]{64})?$`)
const PATH = /^\/?([\w.-]{1,200})\/([\w.-]{1,200})\/?$/

export function parseGitCommand(command: string): GitCommandLine | LfsCommandLine {
  const [, lfs, one, two, three, operation] = LFS.exec(command) ?? []
  if (lfs !== undefined)
    return {
      verb: lfs as LfsCommandLine['verb'],
      ...pathIn(one ?? two ?? three),
      operation: operation as LfsOperation,
    }
  const [, verb, single, double, bare] = COMMAND.exec(command) ?? []
  if (verb === undefined) throw new Problem('malformed', 'not a git command: there is no shell access')
  return { verb: verb as Verb, ...pathIn(single ?? double ?? bare) }
}

function pathIn(text = ''): { readonly owner: string; readonly repo: string } {
  const [, owner = '', repo = ''] = PATH.exec(text) ?? []
  if (!isName(owner) || !isName(repo.replace(/\.git$/, '')))
    throw new Problem('malformed', 'invalid repository path')
  return { owner, repo }
}

/** Excludes names that a file system would take for another folder, though no path ever gets that far. */
function isName(name: string): boolean {
  return !/^\.*$/.test(name)
}
