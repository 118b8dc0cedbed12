/** Valid names of generic packages, versions and files. */
import { Problem } from '#platform/problem'
import { isSegment, type Kind, lowerCase } from '../../kind.ts'

export const KIND: Kind = { type: 'generic', keyOfName: lowerCase, keyOfVersion: lowerCase }

const NAME = /^[\w+-][\w.+-]{0,127}$/
const FILE = /^(?!\.{1,2}$)[-\w+=:;.()[\]{}~!@#$%^& ]{1,255}$/

export interface GenericPath {
  readonly name: string
  readonly version: string
  readonly file: string
}

export function assertNames({ name, version, file }: GenericPath): void {
  if (!NAME.test(name)) throw new Problem('malformed', 'invalid package name')
  if (!isSegment(version)) throw new Problem('malformed', 'invalid package version')
  if (!FILE.test(file) || file.trim() !== file) throw new Problem('malformed', 'invalid filename')
}
