/** Where packs lie in the object store, and what they are called in a repository on disk. */
export const SIDECARS = ['pack', 'idx'] as const
export type Sidecar = (typeof SIDECARS)[number]
/** What makes git faster and is missed by nobody: see cache/pack-accelerators.ts. */
export const ACCELERATORS = ['bitmap', 'graph'] as const
export type Accelerator = (typeof ACCELERATORS)[number]

/** Invariant: the id is that of one upload, so no key is ever used twice, whatever the content. */
export function packKey(
  { id, digest }: { readonly id: string; readonly digest: string },
  sidecar: Sidecar | Accelerator,
): string {
  return `git/packs/${digest.slice(0, 2)}/${digest}.${id}.${sidecar}`
}

/** Git reads whatever is called like this; the digest makes the name as unique as the content. */
export function packFile(digest: string, sidecar: Sidecar | 'bitmap'): string {
  return `pack-${digest.slice(0, 40)}.${sidecar}`
}
