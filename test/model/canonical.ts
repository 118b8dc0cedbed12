/**
 * States that differ only in names are one state. Generations and stamps keep their order and lose their distance, which
 * nothing depends on; finished actors forget what they knew.
 */
import type { State, Storage } from './storage.ts'

export function canonical(state: State): string {
  for (const pusher of state.pushers)
    if (pusher.at === 'dead' || pusher.at.startsWith('told'))
      Object.assign(pusher, { basis: null, content: '', pack: 0, key: '' })
    else if (pusher.at === 'committed') pusher.basis = null
  rankStamps(state)
  rankGenerations(state)
  return JSON.stringify(state)
}

/** Keeps only the history that can still be queried. */
function rankStamps({ truth, saved, carer, cache, pushers }: State): void {
  const holders = [
    ...truth.storages,
    ...(saved?.storages ?? []),
    carer,
    ...(cache ? [cache] : []),
    ...pushers.flatMap(({ basis }) => (basis ? [basis] : [])),
  ]
  const ranks = ranksOf(holders.map(({ stamp }) => stamp))
  for (const it of [truth, ...(saved ? [saved] : [])])
    it.history = it.history.flatMap((stamp) => ranks.get(stamp) ?? [])
  for (const holder of holders) holder.stamp = ranks.get(holder.stamp) ?? 0
}

/** Only the first storage is pushed to: the generations of others do not matter. */
function rankGenerations({ truth, saved, pushers, cache }: State): void {
  const firsts = [truth.storages[0], saved?.storages[0]].filter((it) => it !== undefined)
  for (const storage of [...truth.storages.slice(1), ...(saved?.storages.slice(1) ?? [])])
    storage.generation = storage.released = 0
  const bases = pushers.flatMap(({ basis }) => (basis ? [basis] : []))
  const used = [...firsts.flatMap(generationsOf), ...bases.map((it) => it.generation), cache?.generation ?? 0]
  const ranks = ranksOf(used)
  const at = (generation: number) => ranks.get(generation) ?? 0
  for (const storage of firsts) {
    storage.generation = at(storage.generation)
    storage.released = at(storage.released)
    for (const [id, retired] of Object.entries(storage.names)) storage.names[Number(id)] = at(retired)
  }
  for (const basis of bases) basis.generation = at(basis.generation)
  if (cache) cache.generation = at(cache.generation)
}

function generationsOf({ generation, released, names }: Storage): number[] {
  return [generation, released, ...Object.values(names)]
}

/** Zero stays zero. */
function ranksOf(numbers: readonly number[]): Map<number, number> {
  const sorted = [...new Set([0, ...numbers])].sort((a, b) => a - b)
  return new Map(sorted.map((it, i) => [it, i]))
}
