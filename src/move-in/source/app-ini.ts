/** Reads the `app.ini` of a Gitea or Forgejo: where its database, folders and buckets are, and the key of its secrets. */
import { dirname, isAbsolute, join } from 'node:path'
import { OperatorError } from '#platform/operator-error'
import { Ini } from './ini.ts'
import { readStorages, type Storages } from './storages.ts'

export type DatabaseKind = 'postgres' | 'sqlite3' | 'mysql'

export interface Installation {
  readonly database: DatabaseSettings
  /** The folder of all git repositories. */
  readonly repositories: string
  readonly storages: Storages
  /** Encrypts the secrets of Actions and of second factors. */
  readonly secretKey: string
  /** The address it was reached at, without a slash at the end. */
  readonly rootUrl: string
  /** For hashes without a method of their own. */
  readonly appName: string
}

export interface DatabaseSettings {
  readonly kind: DatabaseKind
  readonly host: string
  readonly name: string
  readonly user: string
  readonly password: string
  readonly schema: string
  readonly sslMode: string
  /** Of the file of SQLite. */
  readonly path: string
}

const KINDS: ReadonlySet<string> = new Set(['postgres', 'sqlite3', 'mysql'])

/** `file` is the path of the text: relative paths of old installations start at its folder. */
export function readInstallation(text: string, file: string): Installation {
  const ini = new Ini(text)
  const workPath = ini.get('', 'WORK_PATH', dirname(dirname(dirname(file))))
  const at = (path: string, below: string) => (isAbsolute(path) ? path : join(below, path))
  const data = at(ini.get('server', 'APP_DATA_PATH', 'data'), workPath)
  return {
    database: readDatabase(ini, data, workPath),
    repositories: at(ini.get('repository', 'ROOT', 'gitea-repositories'), data),
    storages: readStorages(ini, data),
    secretKey: ini.get('security', 'SECRET_KEY'),
    rootUrl: ini.get('server', 'ROOT_URL').replace(/\/+$/, ''),
    appName: ini.get('', 'APP_NAME', 'Gitea'),
  }
}

function readDatabase(ini: Ini, data: string, workPath: string): DatabaseSettings {
  const get = (key: string, otherwise = '') => ini.get('database', key, otherwise)
  const kind = get('DB_TYPE', 'sqlite3').toLowerCase()
  if (!KINDS.has(kind)) throw new OperatorError(`app.ini: databases of type "${kind}" cannot be read`)
  const path = get('PATH', join(data, 'gitea.db'))
  return {
    kind: kind as DatabaseKind,
    host: get('HOST', '127.0.0.1'),
    name: get('NAME', 'gitea'),
    user: get('USER'),
    password: get('PASSWD'),
    schema: get('SCHEMA'),
    sslMode: get('SSL_MODE', 'disable'),
    path: isAbsolute(path) ? path : join(workPath, path),
  }
}
