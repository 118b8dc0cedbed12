/** Keys of packs in the object store, and file names of packs in a repository on disk. */
export const SIDECARS = ['pack', 'idx'] as const
export type Sidecar = (typeof SIDECARS)[number]
/** Optional files that make git faster: see cache/pack-accelerators.ts. */
export const ACCELERATORS = ['bitmap', 'graph'] as const
export type Accelerator = (typeof ACCELERATORS)[number]

export const PACKS_PREFIX = 'git/packs/'
const PACK_KEY =
  /^git\/packs\/[0-9a-f]{2}\/([0-9a-f]{64})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\w+$/

/** Invariant: every upload has its own id, so no key is ever reused, whatever the content. */
export function packKey(
  { id, digest }: { readonly id: string; readonly digest: string },
  sidecar: Sidecar | Accelerator,
): string {
  return `${PACKS_PREFIX}${digest.slice(0, 2)}/${digest}.${id}.${sidecar}`
}

/** The pack that a stored object belongs to; undefined for other objects. */
export function readPackKey(key: string): { readonly id: string; readonly digest: string } | undefined {
  const [, digest, id] = PACK_KEY.exec(key) ?? []
  return digest === undefined || id === undefined ? undefined : { id, digest }
}

/** Git reads every pack with this name pattern; the digest makes the name as unique as the content. */
export function packFile(digest: string, sidecar: Sidecar | 'bitmap'): string {
  return `pack-${digest.slice(0, 40)}.${sidecar}`
}
