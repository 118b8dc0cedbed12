/** The geometric rule: which packs to join so that few remain and large ones are seldom rewritten. */
import { GEOMETRIC_FACTOR } from '../limits.ts'

/**
 * Ordered by size, every pack must hold a multiple of the objects of all smaller packs together. The longest run of large
 * packs that satisfies this stays; the rest become one pack, which also absorbs any larger pack it would come too close
 * to. Empty when the rule holds.
 */
export function packsToJoin<T extends { readonly object_count: number }>(packs: readonly T[]): T[] {
  const sorted = packs.toSorted((a, b) => a.object_count - b.object_count)
  const sizes = sorted.map((pack) => pack.object_count)
  const sizeOf = (i: number) => sizes[i] ?? 0
  let last = sorted.length - 1
  while (last > 0 && sizeOf(last) >= GEOMETRIC_FACTOR * sizeOf(last - 1)) last -= 1
  if (last <= 0) return []
  let total = sizes.slice(0, last + 1).reduce((sum, size) => sum + size, 0)
  while (last + 1 < sorted.length && sizeOf(last + 1) < GEOMETRIC_FACTOR * total) total += sizeOf(++last)
  return sorted.slice(0, last + 1)
}
