/**
 * `npm run lock`: completes package-lock.json after a change of dependencies. A registry mirror may lack the packages
 * of platforms it does not serve. npm then leaves them out of the lock file, and `npm ci` refuses a lock file that
 * lacks them. They are only named here, so that machines of other platforms can find them; this machine never fetches
 * them.
 */
import { readFile, writeFile } from 'node:fs/promises'

interface Entry {
  version?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const FILE = new URL('../package-lock.json', import.meta.url)
const PLATFORMS = [
  'android',
  'darwin',
  'win32',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
  'linux',
]
const PROCESSORS = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32']

const lock = JSON.parse(await readFile(FILE, 'utf8')) as { packages: Record<string, Entry> }
let added = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (`node_modules/${name}` in lock.packages || `${path}/node_modules/${name}` in lock.packages) continue
    lock.packages[`node_modules/${name}`] = placeholder(name, version, entry.dev === true)
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
await writeFile(FILE, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} packages of other platforms named`)

function placeholder(name: string, version: string, dev: boolean): Entry {
  const words = name.split(/[-/.]/)
  const os = PLATFORMS.find((it) => words.includes(it)) ?? 'other'
  const cpu = PROCESSORS.find((it) =>
    words.some((word) => word === it || (it === 'wasm32' && word === 'wasm32')),
  )
  return {
    version: version.replace(/^[\^~]/, ''),
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(dev ? { dev } : {}),
    ...(words.includes('musl') ? { libc: ['musl'] } : {}),
    optional: true,
    os: [os],
  }
}
