/** Checks of this machine: programs, disks, and what dead processes left behind. */
import { execFile } from 'node:child_process'
import { readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '#platform/config'
import { unusableFolder } from '#platform/operator-error'
import { getLoginUser, SSHD } from '#ssh'
import { Warning } from './check.ts'

const run = promisify(execFile)

const MIB = 1_048_576
const FREE_BYTES_LEAST = 1_024 * MIB
/** One repository of this size must fit beside what is cached. */
const CACHE_BYTES_LEAST = 256 * MIB
const DAY_MS = 86_400_000

export async function lookAtSshd(config: Config): Promise<string> {
  const isOn = config['ssh.listen_port'] !== 0
  const { stderr } = await run(SSHD, ['-V']).catch((error: { code?: string; stderr?: string }) => {
    if (error.code === 'ENOENT' && isOn)
      throw new Error('is not installed; on Debian: apt-get install openssh-server')
    // Older versions do not know this flag, but print their version while refusing it.
    return { stderr: error.stderr ?? '' }
  })
  if (!isOn && config['ssh.port'] !== 0)
    throw new Warning(
      `off, but pages show clone URLs for port ${config['ssh.port']}, where this machine's own sshd may answer; set ssh.listen_port to serve git over SSH, or ssh.port to 0`,
    )
  if (!isOn) return 'off; set ssh.listen_port to serve git over SSH'
  const { name } = await getLoginUser(config['ssh.user'])
  return `${/OpenSSH_[\w.]+/.exec(stderr)?.[0] ?? 'installed'}, users connect as ${name}`
}

export async function lookAtDisk(config: Config): Promise<string> {
  const folder = config['store.driver'] === 'disk' ? config['store.folder'] : '.'
  const { free } = await roomIn(folder)
  if (free < FREE_BYTES_LEAST) throw new Error(`only ${mib(free)} free in ${resolve(folder)}; make room`)
  return `${mib(free)} free`
}

/** Every repository that is read or pushed to is copied to this disk. */
export async function lookAtCache(config: Config): Promise<string> {
  const folder = config['git.cache_folder']
  const existing = await existingPart(resolve(folder))
  const file = join(existing, `.doctor-${process.pid}`)
  await writeFile(file, 'doctor').catch(unusableFolder('git.cache_folder', folder))
  await rm(file, { force: true })
  return judgeCache(await roomIn(existing), config['git.cache_bytes_max'])
}

interface Room {
  readonly free: number
  readonly total: number
}

export function judgeCache({ free, total }: Room, bytesMax: number): string {
  if (free < CACHE_BYTES_LEAST)
    throw new Error(`git.cache_folder: only ${mib(free)} free; make room, or set a folder on another disk`)
  if (total < bytesMax)
    throw new Warning(
      `git.cache_bytes_max is ${mib(bytesMax)}, and the disk of git.cache_folder has ${mib(total)}; lower it`,
    )
  return `${mib(free)} free`
}

/** A process that is killed leaves its temporary folders behind. */
export async function lookAtTemporary(_config: Config, folder = tmpdir()): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('bloomery-'))
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  )
  // biome-ignore lint/plugin: file times are of this machine's clock
  const old = times.filter((time) => time < Date.now() - DAY_MS).length
  if (old > 0)
    throw new Warning(
      `${old} folders in ${folder} were left behind; remove bloomery-* older than a day: find ${folder} -maxdepth 1 -name 'bloomery-*' -mtime +1 -exec rm -r {} +`,
    )
  return `nothing old in ${folder}`
}

async function existingPart(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  return isThere || path === dirname(path) ? path : existingPart(dirname(path))
}

async function roomIn(folder: string): Promise<Room> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`
}
