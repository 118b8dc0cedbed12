/**
 * The file system of the image: packages of Debian, unpacked without their scripts, and the tree below
 * /usr/lib/bloomery. apt resolves the packages as for an empty machine and downloads them from the sources of this one.
 */
import { execFile } from 'node:child_process'
import { appendFile, chmod, glob, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const OUTPUT_BYTES_MAX = 16_777_216

/** What the forge runs, what git and sshd run, and a shell to look around with. */
const PACKAGES = [
  ...['git', 'openssh-server', 'openssh-client', 'perl-base', 'ca-certificates', 'libstdc++6', 'libatomic1'],
  ...['base-files', 'base-passwd', 'libc-bin', 'dash', 'coreutils', 'sed', 'grep', 'util-linux'],
]
/** Needed to install packages, or by parts that are not used: nothing is installed or configured in an image. */
const LEFT_OUT = new Set([
  ...[
    'adduser',
    'debconf',
    'dpkg',
    'git-man',
    'libpam-runtime',
    'openssl',
    'passwd',
    'perl',
    'liberror-perl',
  ],
  ...['perl-modules-5.36', 'libperl5.36', 'procps', 'runit-helper', 'tar', 'ucf', 'util-linux-extra', 'mawk'],
])
/** Merged with /usr before the first package is unpacked; tar then follows these links. */
const MERGED = ['bin', 'sbin', 'lib', 'lib64']
const DROPPED = ['usr/share/man', 'usr/share/info', 'usr/share/locale', 'usr/share/lintian', 'usr/share/bug']

export const USER = { name: 'git', uid: 10_001 } as const
/** Where the image keeps data, if it keeps any. */
export const DATA = '/data'

export async function makeRootfs(root: string, tree: string, work: string): Promise<void> {
  const debs = join(work, 'packages')
  await mkdir(debs, { recursive: true })
  await run('apt-get', ['download', ...(await listNeeded())], { cwd: debs, maxBuffer: OUTPUT_BYTES_MAX })
  await mkdir(root, { recursive: true })
  for (const name of MERGED) {
    await mkdir(join(root, 'usr', name), { recursive: true })
    await symlink(`usr/${name}`, join(root, name))
  }
  const status: string[] = []
  for (const file of (await Array.fromAsync(glob('*.deb', { cwd: debs }))).sort()) {
    const deb = join(debs, file)
    await run('sh', [
      '-c',
      'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"',
      '-',
      deb,
      root,
    ])
    const { stdout } = await run('dpkg-deb', ['--field', deb])
    status.push(stdout.replace('\n', '\nStatus: install ok unpacked\n'))
  }
  for (const path of DROPPED) await rm(join(root, path), { recursive: true, force: true })
  // Scanners of vulnerabilities read this file.
  await writeFile(join(root, 'var/lib/dpkg/status'), status.join('\n'))
  await configure(root)
  await run('cp', ['-a', '--link', tree, join(root, 'usr/lib/bloomery')])
  await symlink('../lib/bloomery/bin/bloomery', join(root, 'usr/bin/bloomery'))
}

async function listNeeded(): Promise<string[]> {
  const empty = ['-o', 'Dir::State::status=/dev/null', '--no-install-recommends', '--print-uris', '-qq']
  const { stdout } = await run('apt-get', [...empty, 'install', ...PACKAGES], { maxBuffer: OUTPUT_BYTES_MAX })
  const names = stdout.split('\n').flatMap((line) => / (\S+?)_\S+\.deb /.exec(line)?.[1] ?? [])
  return names.filter((name) => !LEFT_OUT.has(name))
}

/** What scripts of the packages would do. */
async function configure(root: string): Promise<void> {
  const { name, uid } = USER
  const master = join(root, 'usr/share/base-passwd')
  await writeFile(join(root, 'etc/passwd'), await readFile(join(master, 'passwd.master'), 'utf8'))
  await writeFile(join(root, 'etc/group'), await readFile(join(master, 'group.master'), 'utf8'))
  // sshd starts sessions with this shell.
  await appendFile(join(root, 'etc/passwd'), `${name}:x:${uid}:${uid}::${DATA}:/bin/sh\n`)
  await appendFile(join(root, 'etc/group'), `${name}:x:${uid}:\n`)
  await writeFile(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n')
  const certificates = await Array.fromAsync(glob(join(root, 'usr/share/ca-certificates/mozilla/*.crt')))
  const texts = await Promise.all(certificates.sort().map((file) => readFile(file, 'utf8')))
  await mkdir(join(root, 'etc/ssl/certs'), { recursive: true })
  await writeFile(join(root, 'etc/ssl/certs/ca-certificates.crt'), texts.join(''))
  await run('ldconfig', ['-r', root])
  for (const path of ['tmp', 'var/tmp']) {
    await mkdir(join(root, path), { recursive: true })
    await chmod(join(root, path), 0o1777)
  }
  await mkdir(join(root, DATA), { recursive: true })
}
