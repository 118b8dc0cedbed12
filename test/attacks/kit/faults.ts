/** Faults that an attack causes: stopped processes, rows restored by a failover. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Forge } from './forge.ts'
import { processesOf } from './processes.ts'

/** The S3 server of this forge, found by its folder. */
export function storePid(forge: Forge): number {
  const found = processesOf(forge.data).find(({ words }) => words[0]?.endsWith('versitygw'))
  if (found === undefined) throw new Error('the forge has no S3 server of its own')
  return found.pid
}

/** Stops the process with SIGSTOP until disposed of. */
export function paused(pid: number): Disposable {
  process.kill(pid, 'SIGSTOP')
  let isOver = false
  return {
    [Symbol.dispose]: () => {
      if (!isOver) process.kill(pid, 'SIGCONT')
      isOver = true
    },
  }
}

/** Whether it happens within a number of milliseconds. */
export async function happens(
  ask: () => Promise<boolean> | boolean,
  ms: number,
  everyMs = 100,
): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(everyMs))
    if (await ask()) return true
  return false
}

/** For steps that an attack depends on. */
export async function until(
  what: string,
  ask: () => Promise<boolean> | boolean,
  ms = 30_000,
  everyMs = 100,
): Promise<void> {
  if (!(await happens(ask, ms, everyMs))) throw new Error(`never happened: ${what}`)
}

/**
 * A failover that loses the last commits of some tables: `keep` copies their rows, `bringBack` replaces the rows by the
 * copies.
 */
export class LostCommits {
  readonly #forge: Forge
  readonly #tables: readonly string[]
  constructor(forge: Forge, tables: readonly string[]) {
    this.#forge = forge
    this.#tables = tables
  }

  async keep(): Promise<void> {
    for (const it of this.#tables)
      await this.#forge.sql(`create schema if not exists before_failover;
        drop table if exists before_failover.${it};
        create table before_failover.${it} as table public.${it}`)
  }

  async bringBack(): Promise<void> {
    const all = this.#tables.map(
      (it) => `delete from public.${it};
        insert into public.${it} overriding system value table before_failover.${it};`,
    )
    await this.#forge.sql(`set session_replication_role = replica; begin; ${all.join(' ')} commit`)
  }
}
