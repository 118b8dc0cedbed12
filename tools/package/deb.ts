/** The Debian package: the tree below /usr/lib/bloomery, a command, a unit of systemd and its settings. */
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sourceDate } from './archive.ts'
import type { Arch } from './stage.ts'

const run = promisify(execFile)

const FILES = join(import.meta.dirname, 'files')
const DEBIAN_ARCH: Readonly<Record<Arch, string>> = { x64: 'amd64', arm64: 'arm64' }
const SETTINGS = 'etc/bloomery/bloomery.toml'
const PLACES: readonly [from: string, to: string, mode: number][] = [
  ['command.sh', 'usr/bin/bloomery', 0o755],
  ['bloomery.service', 'lib/systemd/system/bloomery.service', 0o644],
  ['bloomery.toml', SETTINGS, 0o644],
  ['postinst', 'DEBIAN/postinst', 0o755],
  ['prerm', 'DEBIAN/prerm', 0o755],
  ['postrm', 'DEBIAN/postrm', 0o755],
]

const COPYRIGHT = `Copyright: the authors of Bloomery
License: Apache-2.0, see /usr/share/common-licenses/Apache-2.0

Packages below /usr/lib/bloomery/node_modules have licences of their own, in their folders.
/usr/lib/bloomery/bin/node is Node.js; its licence is beside it.
`

/** Puts the package into `work` and its file into `to`; returns the file. */
export async function makeDeb(
  { tree, version, arch }: { tree: string; version: string; arch: Arch },
  work: string,
  to: string,
): Promise<string> {
  const root = join(work, 'deb')
  await mkdir(join(root, 'usr/lib'), { recursive: true })
  await run('cp', ['-a', '--link', tree, join(root, 'usr/lib/bloomery')])
  for (const [from, path, mode] of PLACES) await place(join(FILES, from), join(root, path), mode)
  const docs = join(root, 'usr/share/doc/bloomery')
  await mkdir(docs, { recursive: true })
  for (const name of ['docs', 'README.md', 'SECURITY.md', 'CHANGELOG.md'])
    await rename(join(root, 'usr/lib/bloomery', name), join(docs, name))
  await writeFile(join(docs, 'copyright'), COPYRIGHT)
  await writeFile(join(root, 'DEBIAN/conffiles'), `/${SETTINGS}\n`)
  const { stdout } = await run('du', ['-sk', '--exclude=DEBIAN', root])
  await writeFile(join(root, 'DEBIAN/control'), controlText(version, arch, stdout.split('\t')[0] ?? ''))
  // Nothing that is installed may be writable by others, whatever the umask here is.
  await run('chmod', ['-R', 'u=rwX,go=rX', root])
  const file = join(to, `bloomery_${version}_${DEBIAN_ARCH[arch]}.deb`)
  const env = { ...process.env, SOURCE_DATE_EPOCH: await sourceDate() }
  await run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', root, file], { env })
  return file
}

async function place(from: string, to: string, mode: number): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await copyFile(from, to)
  await chmod(to, mode)
}

/** Perl, for git processes and SSH sessions, is on every Debian. */
function controlText(version: string, arch: Arch, installedKib: string): string {
  return `Package: bloomery
Version: ${version}
Architecture: ${DEBIAN_ARCH[arch]}
Maintainer: Bloomery <maintainers@bloomery.invalid>
Installed-Size: ${installedKib}
Depends: git (>= 1:2.39), openssh-server, passwd, libc6 (>= 2.28), libstdc++6, libatomic1
Recommends: postgresql (>= 15), sudo
Suggests: nats-server
Section: vcs
Priority: optional
Description: git forge with stateless nodes
 Repositories, pull requests, issues, Actions and packages behind Gitea's REST
 API. PostgreSQL holds metadata and refs, an object store holds packs and files,
 and a node only caches.
`
}
