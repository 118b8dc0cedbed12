/**
 * The tree that every artefact contains: the source without tests, the packages it needs at run time, Node, and
 * `bin/bloomery`. Node does not strip types of files below node_modules, so the source is beside that folder.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Arch = 'x64' | 'arm64'

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

const ROOT = join(import.meta.dirname, '../..')
const FILES = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'package.json']
/** Of docs: for people who read the forge's code. */
const IS_FOR_DEVELOPERS = /\/docs\/(?:pictures|growth|specification)/
const IS_TEST = /\.test\.ts$|\/testing(?:\.ts)?$|\/tsconfig\.json$/
/** Of packages: types, sources of what is compiled, and pages; licences stay. */
const IS_UNUSED = /\.(?:map|[cm]?ts|md|markdown|flow)$/
const IS_LICENCE = /licen[cs]e|copying|notice/i
/** Folders of big packages that no code of ours loads. */
const UNUSED_FOLDERS = [
  ...['dist', 'font', 'icon-nodes.json', 'sprite.svg', 'tags.json'].map((it) => `lucide-static/${it}`),
  'openpgp/dist/lightweight',
]

export async function stage(folder: string, arch: Arch): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true })
  for (const file of FILES) await copyFile(join(ROOT, file), join(folder, file))
  await cp(join(ROOT, 'src'), join(folder, 'src'), {
    recursive: true,
    filter: (path) => !IS_TEST.test(path),
  })
  await cp(join(ROOT, 'docs'), join(folder, 'docs'), {
    recursive: true,
    filter: (path) => !IS_FOR_DEVELOPERS.test(path),
  })
  await cp(join(ROOT, 'migrations'), join(folder, 'migrations'), { recursive: true })
  for (const [path, { version = '' }] of await listPackages(arch)) await copyPackage(path, version, folder)
  await copyNode(join(folder, 'bin'), arch)
  await copyFile(join(import.meta.dirname, 'files/launcher.sh'), join(folder, 'bin/bloomery'))
  await chmod(join(folder, 'bin/bloomery'), 0o755)
}

/** Paths and entries of the lock file, without those for development and for other machines. */
async function listPackages(arch: Arch): Promise<[string, Locked][]> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const suits = (list: readonly string[] | undefined, mine: string) =>
    list === undefined || list.includes(mine)
  return Object.entries(lock.packages).filter(
    ([path, { dev, os, cpu, libc }]) =>
      path !== '' && !dev && suits(os, 'linux') && suits(cpu, arch) && suits(libc, 'glibc'),
  )
}

async function copyPackage(path: string, version: string, folder: string): Promise<void> {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const copy = (from: string) =>
    cp(from, join(folder, path), {
      recursive: true,
      filter: (file) => isUsed(file.slice(from.length), name),
    })
  const installed = join(ROOT, path)
  if (existsSync(installed)) await copy(installed)
  // npm installs packages of this machine only.
  else await withDownload(`${name}@${version}`, copy)
}

function isUsed(inside: string, name: string): boolean {
  // Packages below a package have their own entries in the lock file.
  if (inside === '/node_modules') return false
  if (UNUSED_FOLDERS.includes(name + inside)) return false
  // Settings of linters and the like.
  if (basename(inside).startsWith('.')) return false
  return !IS_UNUSED.test(inside) || IS_LICENCE.test(basename(inside))
}

/** The program and its licence, from the package of npm that tools/bootstrap.sh installs as well. */
async function copyNode(bin: string, arch: Arch): Promise<void> {
  const copy = async (from: string) => {
    await copyFile(join(from, 'bin/node'), join(bin, 'node'))
    await chmod(join(bin, 'node'), 0o755)
    await copyFile(join(from, 'LICENSE'), join(bin, 'node.LICENSE'))
  }
  const own = join(dirname(process.execPath), '..')
  if (arch === process.arch && existsSync(join(own, 'LICENSE'))) await copy(own)
  else await withDownload(`node-linux-${arch}@${process.versions.node}`, copy)
}

/** A package of the npm registry in a temporary folder. */
async function withDownload(spec: string, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-download-'))
  try {
    // Not in the checkout, whose demands npm itself may not meet.
    const { stdout } = await run('npm', ['pack', '--silent', spec], { cwd: folder })
    await run('tar', ['-xzf', stdout.trim(), '--no-same-owner'], { cwd: folder })
    await use(join(folder, 'package'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
