/** All package types. To add one, add a folder and a line here. */
import { lowerCase } from '../kind.ts'
import { container } from './container/index.ts'
import { generic } from './generic/index.ts'
import { npm } from './npm/index.ts'
import type { PackageType } from './package-type.ts'
import { pypi } from './pypi/index.ts'

export const TYPES: readonly PackageType[] = [generic, npm, container, pypi]

/** Undefined for an unsupported type. */
export function findType(type: string): PackageType | undefined {
  return TYPES.find((it) => it.type === type)
}

export function keyOfVersion(type: string, version: string): string {
  return (findType(type)?.keyOfVersion ?? lowerCase)(version)
}
