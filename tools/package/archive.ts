/** Archives that are the same for the same content: sorted, owned by root, and dated by the last commit. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Seconds since 1970, as tools of reproducible builds expect them. */
export async function sourceDate(): Promise<string> {
  const given = process.env.SOURCE_DATE_EPOCH
  if (given !== undefined) return given
  const { stdout } = await run('git', ['log', '-1', '--format=%ct'], { cwd: import.meta.dirname })
  return stdout.trim()
}

export interface TarOptions {
  /** Of everything in the archive: a number of a user and a group. */
  readonly owner?: number
  /** Whether the archive exists and gets more entries. */
  readonly isAppended?: boolean
}

/** `entries` of `folder` as an archive; compressed if the name says so. */
export async function makeTar(
  file: string,
  folder: string,
  entries: readonly string[],
  { owner = 0, isAppended = false }: TarOptions = {},
): Promise<void> {
  const date = await sourceDate()
  const same = ['--sort=name', `--owner=${owner}`, `--group=${owner}`, '--numeric-owner', `--mtime=@${date}`]
  const compress = file.endsWith('.gz') ? ['--use-compress-program=gzip -n'] : []
  await run('tar', [isAppended ? '-rf' : '-cf', file, ...same, ...compress, '-C', folder, ...entries])
}
