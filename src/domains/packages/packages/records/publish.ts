/** Adds a file to a version, creating package and version if needed, in one transaction. */
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import type { WritablePackages } from '../access/open-packages.ts'
import { adopt } from '../blobs/adopt.ts'
import { type Compared, type Stored, withStored } from '../blobs/take-bytes.ts'
import { countAdded, lockUsage } from '../blobs/usage.ts'
import type { PackageEvent } from '../events.ts'
import type { Kind } from '../kind.ts'
import type { Facts, PackageRow, VersionRow } from '../tables.ts'
import { countFiles, FILES_MAX, insertFile } from './file-store.ts'
import { holdPackage, holdVersion } from './store.ts'

export interface Publication {
  readonly kind: Kind
  readonly name: string
  readonly version: string
  readonly metadata?: Facts
  readonly file: string
  /** Versions of this type cannot get more files later. */
  readonly isWholeVersion?: boolean
  /** Called in the same transaction. */
  readonly also?: (ctx: TxContext, pkg: PackageRow) => Promise<void>
}

/** Of two concurrent publications one wins, and the object of the other is discarded. */
export async function publish(
  ctx: Context,
  packages: WritablePackages,
  stored: Stored,
  { kind, name, file, isWholeVersion = false, also, ...wanted }: Publication,
): Promise<void> {
  await withStored(ctx, stored, (compared) =>
    transact(ctx, async (ctx) => {
      const pkg = await holdPackage(ctx.db, packages, kind, name, ctx.now())
      const facts = { metadata: {}, isInternal: false, creatorId: packages.actor.id, ...wanted }
      const { row, isNew } = await holdVersion(ctx.db, pkg, kind, facts, ctx.now())
      if (isWholeVersion && !isNew) throw new Problem('conflict', 'package version already exists')
      await addFile(ctx, pkg, row, file, compared)
      await also?.(ctx, pkg)
      if (isNew) await emit(ctx, 'package.created', eventOf(pkg, row, packages.actor.id))
    }),
  )
}

async function addFile(
  ctx: TxContext,
  pkg: PackageRow,
  version: VersionRow,
  name: string,
  stored: Compared,
): Promise<void> {
  await lockUsage(ctx.db, pkg.owner_id)
  const blob = await adopt(ctx, stored)
  await countAdded(ctx, pkg.owner_id, blob)
  const file = { version_id: version.id, blob_id: blob.id, name, created_at: ctx.now() }
  if (!(await insertFile(ctx.db, file))) throw new Problem('conflict', 'package file already exists')
  if ((await countFiles(ctx.db, version.id)) > FILES_MAX)
    throw new Problem('too_large', 'package version has too many files', { filesMax: FILES_MAX })
}

export function eventOf(
  pkg: Pick<PackageRow, 'owner_id' | 'repository_id' | 'type' | 'name'>,
  version: Pick<VersionRow, 'id' | 'creator_id' | 'version' | 'created_at'>,
  actorId: number,
): PackageEvent {
  return {
    version_id: version.id,
    owner_id: pkg.owner_id,
    actor_id: actorId,
    repository_id: pkg.repository_id ?? 0,
    creator_id: version.creator_id,
    type: pkg.type,
    name: pkg.name,
    version: version.version,
    created_at: version.created_at.toISOString(),
  }
}
