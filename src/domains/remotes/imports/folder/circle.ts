/** Whether a graph has a circle. Pure: time and memory grow with the number of edges. */
export function hasCircle(edges: readonly (readonly [from: string, to: string])[]): boolean {
  const incoming = new Map<string, number>()
  const outgoing = Map.groupBy(edges, ([from]) => from)
  for (const [from, to] of edges) {
    incoming.set(from, incoming.get(from) ?? 0)
    incoming.set(to, (incoming.get(to) ?? 0) + 1)
  }
  // Nodes that nothing leads to any more are taken away; only those of a circle, or behind one, remain.
  const free = [...incoming].flatMap(([node, count]) => (count === 0 ? [node] : []))
  let taken = 0
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    taken += 1
    for (const [, to] of outgoing.get(node) ?? []) {
      const left = (incoming.get(to) ?? 0) - 1
      incoming.set(to, left)
      if (left === 0) free.push(to)
    }
  }
  return taken < incoming.size
}
