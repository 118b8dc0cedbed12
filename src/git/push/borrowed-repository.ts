/** A throw-away repository that borrows the objects of a cached one; writes to it do not affect the cache. */
import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import type { Lease } from '../cache/cache.ts'

export interface BorrowedRepository extends AsyncDisposable {
  readonly path: string
}

export async function borrow(ctx: Context, lease: Lease): Promise<BorrowedRepository> {
  const path = join(ctx.cache.scratch, `borrowed-${randomUUID()}.git`)
  await mkdir(join(path, 'objects/info'), { recursive: true })
  await mkdir(join(path, 'objects/pack'))
  await mkdir(join(path, 'refs'))
  await writeFile(join(path, 'objects/info/alternates'), `${join(lease.path, 'objects')}\n`)
  await copyFile(join(lease.path, 'config'), join(path, 'config'))
  await copyFile(join(lease.path, 'HEAD'), join(path, 'HEAD'))
  await link(join(lease.path, 'packed-refs'), join(path, 'packed-refs'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
