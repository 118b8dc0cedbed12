/** Reads the `app.ini` of a Gitea or Forgejo: where its database and folders are, and the key of its secrets. */
import { dirname, isAbsolute, join } from 'node:path'
import { OperatorError } from '#platform/operator-error'

export type DatabaseKind = 'postgres' | 'sqlite3' | 'mysql'

export interface Installation {
  readonly database: DatabaseSettings
  readonly folders: Folders
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

export interface Folders {
  readonly repositories: string
  readonly attachments: string
  readonly avatars: string
  readonly repositoryAvatars: string
  readonly lfs: string
  readonly packages: string
}

export const LINES_MAX = 20_000
const KINDS: ReadonlySet<string> = new Set(['postgres', 'sqlite3', 'mysql'])
const QUOTED = /^(?:`([^`]*)`|"([^"]*)"|'([^']*)'|"""([\s\S]*)""")$/

type Sections = Map<string, Map<string, string>>

/** `file` is the path of the text: relative paths of old installations start at its folder. */
export function readInstallation(text: string, file: string): Installation {
  const sections = parseIni(text)
  const get = (section: string, key: string, otherwise = '') =>
    sections.get(section.toLowerCase())?.get(key.toLowerCase()) || otherwise
  const workPath = get('', 'WORK_PATH', dirname(dirname(dirname(file))))
  const at = (path: string, below: string) => (isAbsolute(path) ? path : join(below, path))
  const data = at(get('server', 'APP_DATA_PATH', 'data'), workPath)
  const folder = (section: string, key: string, otherwise: string) => {
    const type = get(section, 'STORAGE_TYPE', get('storage', 'STORAGE_TYPE', 'local'))
    if (type !== 'local')
      throw new OperatorError(`app.ini: [${section}] is stored by "${type}"; only folders can be read`)
    return at(get(section, key, get(`storage.${section}`, 'PATH', otherwise)), data)
  }
  return {
    database: readDatabase(get, data, workPath),
    folders: {
      repositories: at(get('repository', 'ROOT', 'gitea-repositories'), data),
      attachments: folder('attachment', 'PATH', 'attachments'),
      avatars: at(get('picture', 'AVATAR_UPLOAD_PATH', get('avatar', 'PATH', 'avatars')), data),
      repositoryAvatars: at(
        get('picture', 'REPOSITORY_AVATAR_UPLOAD_PATH', get('repo-avatar', 'PATH', 'repo-avatars')),
        data,
      ),
      lfs: folder('lfs', 'PATH', get('server', 'LFS_CONTENT_PATH', 'lfs')),
      packages: folder('packages', 'PATH', 'packages'),
    },
    secretKey: get('security', 'SECRET_KEY'),
    rootUrl: get('server', 'ROOT_URL').replace(/\/+$/, ''),
    appName: get('', 'APP_NAME', 'Gitea'),
  }
}

function readDatabase(
  get: (section: string, key: string, otherwise?: string) => string,
  data: string,
  workPath: string,
): DatabaseSettings {
  const kind = get('database', 'DB_TYPE', 'sqlite3').toLowerCase()
  if (!KINDS.has(kind)) throw new OperatorError(`app.ini: databases of type "${kind}" cannot be read`)
  const path = get('database', 'PATH', join(data, 'gitea.db'))
  return {
    kind: kind as DatabaseKind,
    host: get('database', 'HOST', '127.0.0.1'),
    name: get('database', 'NAME', 'gitea'),
    user: get('database', 'USER'),
    password: get('database', 'PASSWD'),
    schema: get('database', 'SCHEMA'),
    sslMode: get('database', 'SSL_MODE', 'disable'),
    path: isAbsolute(path) ? path : join(workPath, path),
  }
}

/** Sections and keys without regard to case; the first section has no name. */
function parseIni(text: string): Sections {
  const sections: Sections = new Map([['', new Map()]])
  let current = ''
  for (const raw of text.split('\n', LINES_MAX)) {
    const line = raw.trim()
    if (line === '' || line.startsWith(';') || line.startsWith('#')) continue
    if (line.startsWith('[') && line.endsWith(']')) {
      current = line.slice(1, -1).trim().toLowerCase()
      if (!sections.has(current)) sections.set(current, new Map())
      continue
    }
    const place = line.indexOf('=')
    if (place <= 0) continue
    const key = line.slice(0, place).trim().toLowerCase()
    sections.get(current)?.set(key, unquote(line.slice(place + 1).trim()))
  }
  return sections
}

function unquote(value: string): string {
  const quoted = QUOTED.exec(value)
  if (quoted !== null) return quoted.slice(1).find((it) => it !== undefined) ?? ''
  const [plain = ''] = value.split(/\s[;#]/, 1)
  return plain.trim()
}
