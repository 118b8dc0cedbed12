/** Where the files of each kind are: Gitea's rules for `[storage]`, `[storage.NAME]` and the sections of the kinds. */
import { isAbsolute, join } from 'node:path'
import { OperatorError } from '#platform/operator-error'
import { type Ini, isTrue } from './ini.ts'

export type Storage = Folder | Bucket

export interface Folder {
  readonly type: 'local'
  readonly path: string
}

export interface Bucket {
  readonly type: 'minio'
  /** The section of `app.ini` that says where it is. */
  readonly section: string
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Segments before every path, without slashes at the ends. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Logs and artifacts of Actions and archives stay behind, so theirs are not read. */
export interface Storages {
  readonly attachments: Storage
  readonly avatars: Storage
  readonly repositoryAvatars: Storage
  readonly lfs: Storage
  readonly packages: Storage
}

/** A kind of files: the name of its folder, its own section, and settings of older releases. */
interface Kind {
  readonly name: string
  readonly section: string
  readonly type?: string
  readonly path?: string
}

/** The section that describes a store, and the one whose path and bucket go before. */
interface Target {
  readonly section: string
  readonly type: string
  readonly override: string | undefined
  /** Several kinds are in it, each below its own name. */
  readonly isShared: boolean
}

const TYPES: ReadonlySet<string> = new Set(['local', 'minio', 'azureblob'])
const SHARED = 'storage'

/** `data` is the folder of all relative paths. */
export function readStorages(ini: Ini, data: string): Storages {
  const read = (kind: Kind) => readStorage(ini, data, kind)
  const picture = (key: string) => ini.get('picture', key)
  return {
    attachments: read({ name: 'attachments', section: 'attachment' }),
    avatars: read({
      name: 'avatars',
      section: 'avatar',
      type: picture('AVATAR_STORAGE_TYPE'),
      path: picture('AVATAR_UPLOAD_PATH'),
    }),
    repositoryAvatars: read({
      name: 'repo-avatars',
      section: 'repo-avatar',
      type: picture('REPOSITORY_AVATAR_STORAGE_TYPE'),
      path: picture('REPOSITORY_AVATAR_UPLOAD_PATH'),
    }),
    lfs: read({ name: 'lfs', section: 'lfs', path: ini.get('server', 'LFS_CONTENT_PATH') }),
    packages: read({ name: 'packages', section: 'packages' }),
  }
}

function readStorage(ini: Ini, data: string, kind: Kind): Storage {
  const target = findTarget(ini, kind)
  if (target.type === 'local') return readFolder(ini, data, kind, target)
  if (target.type === 'minio') return readBucket(ini, kind, target)
  throw new OperatorError(
    `app.ini: files of [${target.section}] are in "${target.type}", which cannot be read`,
  )
}

/** A type is one of Gitea's, or the name of a section `[storage.NAME]`. */
function findTarget(ini: Ini, kind: Kind): Target {
  const own = ini.has(kind.section) || kind.path ? kind.section : undefined
  const type = kind.type || ini.get(kind.section, 'STORAGE_TYPE')
  const isNamed = ini.has(`storage.${type}`)
  if (!kind.type && TYPES.has(type) && !isNamed)
    return { section: kind.section, type, override: undefined, isShared: false }
  if (type === '' || (TYPES.has(type) && !isNamed)) return findByName(ini, kind.name, own)
  if (isNamed) return targetOf(ini, type, own ?? ifThere(ini, kind.name))
  throw new OperatorError(
    `app.ini: [${kind.section}] STORAGE_TYPE is "${type}", and there is no [storage.${type}]`,
  )
}

/** `[storage.NAME]` with the name of the kind, else `[storage]`. */
function findByName(ini: Ini, name: string, own: string | undefined): Target {
  const named = ifThere(ini, name)
  const type = named === undefined ? '' : ini.inherit(named, 'STORAGE_TYPE')
  if (named === undefined || (type === '' && ini.inherit(named, 'PATH') === ''))
    return {
      section: SHARED,
      type: ini.get(SHARED, 'STORAGE_TYPE', 'local'),
      override: own ?? named,
      isShared: true,
    }
  if (ini.has(`storage.${type}`)) return targetOf(ini, type, own ?? named)
  return { section: named, type: type || 'local', override: own, isShared: false }
}

function ifThere(ini: Ini, name: string): string | undefined {
  return ini.has(`storage.${name}`) ? `storage.${name}` : undefined
}

function targetOf(ini: Ini, name: string, override: string | undefined): Target {
  const section = `storage.${name}`
  return { section, type: ini.inherit(section, 'STORAGE_TYPE', name), override, isShared: false }
}

function readFolder(ini: Ini, data: string, kind: Kind, { section, override, isShared }: Target): Folder {
  const pathOf = (name: string) => ini.get(name, 'PATH', name === kind.section ? kind.path : '')
  const below = (folder: string, parent: string) => (isAbsolute(folder) ? folder : join(parent, folder))
  const given = pathOf(section)
  const own = override === undefined ? '' : pathOf(override)
  if (own !== '') return { type: 'local', path: below(own, below(given, data)) }
  if (given === '') return { type: 'local', path: join(data, kind.name) }
  return { type: 'local', path: below(isShared ? join(given, kind.name) : given, data) }
}

function readBucket(ini: Ini, { name }: Kind, { section, override, isShared }: Target): Bucket {
  const get = (key: string, otherwise = '') => ini.inherit(section, key, otherwise)
  const own = (key: string) => (override === undefined ? '' : ini.get(override, key))
  const base = get('MINIO_BASE_PATH')
  const prefix = own('MINIO_BASE_PATH') || (base === '' ? name : isShared ? `${base}/${name}` : base)
  const accessKeyId = get('MINIO_ACCESS_KEY_ID')
  if (accessKeyId === '')
    throw new OperatorError(
      `app.ini: [${section}] has no MINIO_ACCESS_KEY_ID; keys of the environment are not read`,
    )
  const protocol = isTrue(get('MINIO_USE_SSL')) ? 'https' : 'http'
  return {
    type: 'minio',
    section,
    endpoint: `${protocol}://${get('MINIO_ENDPOINT', 'localhost:9000')}`,
    region: get('MINIO_LOCATION', 'us-east-1'),
    bucket: own('MINIO_BUCKET') || get('MINIO_BUCKET', 'gitea'),
    prefix: prefix.split('/').filter(Boolean).join('/'),
    accessKeyId,
    secretAccessKey: get('MINIO_SECRET_ACCESS_KEY'),
  }
}
