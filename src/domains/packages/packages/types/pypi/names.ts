/** Valid names of Python projects, versions and files. Pure. */
import { Problem } from '#platform/problem'
import { isSegment, type Kind, lowerCase } from '../../kind.ts'

export const KIND: Kind = { type: 'pypi', keyOfName: normalize, keyOfVersion: lowerCase }

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/i
/** PEP 440, as loosely as clients write it. */
const VERSION = /^v?(?:\d+!)?\d+(?:\.\d+)*[a-z0-9.+_-]*$/i
const FILE = /^[\w.+!-]+\.(?:whl|tar\.gz|tar\.bz2|zip|egg)$/

/** PEP 503: runs of `-`, `_` and `.` are equivalent. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-')
}

export function assertNames(name: string, version: string, file: string): void {
  if (!NAME.test(name)) throw new Problem('malformed', 'invalid package name')
  if (version.length > 128 || !VERSION.test(version))
    throw new Problem('malformed', 'invalid package version')
  if (!isSegment(file) || !FILE.test(file)) throw new Problem('malformed', 'invalid filename')
}
