/** File changes checked against the existing files before anything is written. */
import { invalid, notFound, Problem } from '#platform/problem'
import { isPath } from '../read/objects/paths.ts'
import { type Directories, type Held, parentsOf } from './directories.ts'
import { isWritablePath } from './paths.ts'

/** `expected` is the id the file must have: it has changed otherwise since the caller read it. */
export type FileChange =
  | { readonly kind: 'create'; readonly path: string; readonly content: Uint8Array }
  | {
      readonly kind: 'update'
      readonly path: string
      readonly content: Uint8Array
      readonly expected?: string
    }
  | { readonly kind: 'delete'; readonly path: string; readonly expected?: string }
  | {
      readonly kind: 'rename'
      readonly from: string
      readonly path: string
      /** The content stays when absent. */
      readonly content?: Uint8Array
      readonly expected?: string
    }

export interface Writing {
  readonly path: string
  readonly mode: string
  /** New bytes, or the id of an existing object. */
  readonly content: Uint8Array | string
}

/** Deletions are applied first. */
export interface Plan {
  readonly deletions: readonly string[]
  readonly writings: readonly Writing[]
}

const PLAIN_FILE = '100644'
const SUBMODULE = '160000'
const CHANGES_MAX = 5_000
const CONTENT_BYTES_MAX = 512 * 1024 * 1024

/** Checks that need no repository. */
export function checkChanges(changes: readonly FileChange[], mayBeEmpty: boolean): void {
  if (changes.length === 0 && !mayBeEmpty) throw invalid('nothing to commit')
  if (changes.length > CHANGES_MAX) throw new Problem('too_large', 'too many files in one commit')
  const bytes = changes.reduce((sum, it) => sum + ('content' in it ? (it.content?.byteLength ?? 0) : 0), 0)
  if (bytes > CONTENT_BYTES_MAX) throw new Problem('too_large', 'commit is too large')
  const paths = pathsOf(changes)
  // An existing file may have any name that git allows; a new one may not.
  const strange =
    paths.find((path) => !isPath(path)) ?? newPathsOf(changes).find((path) => !isWritablePath(path))
  if (strange !== undefined) throw invalid('invalid path', { path: strange })
  if (new Set(paths).size < paths.length) throw invalid('duplicate path')
}

export function pathsOf(changes: readonly FileChange[]): string[] {
  return changes.flatMap((change) => (change.kind === 'rename' ? [change.from, change.path] : [change.path]))
}

function newPathsOf(changes: readonly FileChange[]): string[] {
  return changes.filter(({ kind }) => kind === 'create' || kind === 'rename').map(({ path }) => path)
}

export function planChanges(directories: Directories, changes: readonly FileChange[]): Plan {
  const deletions: string[] = []
  const writings: Writing[] = []
  for (const change of changes) {
    if (change.kind === 'create') {
      writings.push({ path: change.path, mode: PLAIN_FILE, content: change.content })
      continue
    }
    const from = change.kind === 'rename' ? change.from : change.path
    const held = getFile(directories, from, change.expected)
    if (change.kind !== 'update') deletions.push(from)
    if (change.kind !== 'delete') writings.push(rewrite(change.path, held, change.content))
  }
  checkRoom(directories, changes, deletions)
  return { deletions, writings }
}

function getFile(directories: Directories, path: string, expected: string | undefined): Held {
  const held = directories.find(path)
  if (held === undefined || held.isFolder) throw notFound('file', path)
  if (expected !== undefined && expected !== held.oid)
    throw new Problem('conflict', 'sha does not match', { path, expected, actual: held.oid })
  return held
}

/** The mode stays: executables and links stay what they are. */
function rewrite(path: string, held: Held, content: Uint8Array | undefined): Writing {
  if (content !== undefined && held.mode === SUBMODULE) throw invalid('path is a submodule', { path })
  return { path, mode: held.mode, content: content ?? held.oid }
}

/** A new file must not replace an entry, and no file may be where it needs a folder. */
function checkRoom(
  directories: Directories,
  changes: readonly FileChange[],
  deletions: readonly string[],
): void {
  const gone = new Set(deletions)
  const made = new Set(newPathsOf(changes))
  for (const path of made) {
    if (directories.find(path) !== undefined && !gone.has(path))
      throw new Problem('conflict', 'path already exists', { path })
    for (const parent of parentsOf(path)) {
      const held = parent === '' || gone.has(parent) ? undefined : directories.find(parent)
      if (made.has(parent) || (held !== undefined && !held.isFolder))
        throw new Problem('conflict', 'a parent directory of the path is a file', { path, parent })
    }
  }
}
