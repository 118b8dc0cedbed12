/** A resolver in place of the machine's own, so that no DNS query leaves it. */
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

/** The addresses at the first lookup, at the second, and so on; the last ones stay. */
type Answers = readonly (readonly string[])[]

export class Resolver implements Disposable {
  /** Resolved names, with repetitions. */
  readonly asked: string[] = []
  private readonly names: Map<string, Answers>
  private readonly original = dns.lookup

  constructor(names: Readonly<Record<string, Answers>>) {
    this.names = new Map(Object.entries(names))
    replaceLookup((host: string) => this.answer(host))
  }

  set(name: string, ...answers: Answers): void {
    this.names.set(name, answers)
  }

  async answer(name: string): Promise<{ address: string; family: number }[]> {
    this.asked.push(name)
    const [now, ...later] = this.names.get(name) ?? []
    if (now === undefined) throw Object.assign(new Error(`nobody knows ${name}`), { code: 'ENOTFOUND' })
    if (later.length > 0) this.names.set(name, later)
    return now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }

  [Symbol.dispose](): void {
    replaceLookup(this.original)
  }
}

function replaceLookup(lookup: unknown): void {
  Object.assign(dns, { lookup })
  // Also replaces it for modules that imported it by name.
  syncBuiltinESMExports()
}
