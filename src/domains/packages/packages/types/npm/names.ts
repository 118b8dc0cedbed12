/** Valid names of npm packages, versions and tags. */
import { Problem } from '#platform/problem'
import { type Kind, lowerCase } from '../../kind.ts'

export const KIND: Kind = { type: 'npm', keyOfName: lowerCase, keyOfVersion: lowerCase }

const NAME_MAX = 214
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i
const VERSION_MAX = 256
const VERSION =
  /^\d{1,16}\.\d{1,16}\.\d{1,16}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i
/** A tag must not look like a version or range, or clients would interpret it as one. */
const TAG = /^(?!v?\d)[\w.~-]{1,128}$/

export function isName(name: string): boolean {
  return name.length <= NAME_MAX && NAME.test(name)
}

export function isVersion(version: string): boolean {
  return version.length <= VERSION_MAX && VERSION.test(version)
}

export function assertTag(tag: string): void {
  if (!TAG.test(tag)) throw new Problem('malformed', 'invalid tag')
}

/** The file name of a version, without the scope. */
export function fileOf(name: string, version: string): string {
  return `${name.split('/').at(-1)}-${version}.tgz`
}
