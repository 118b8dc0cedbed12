/**
 * Queues writers of one repository. PostgreSQL serializes transactions on its refs anyway; here they wait without holding
 * a connection, so that a blocked repository does not block others.
 */

import { Problem } from '#platform/problem'
import type { StorageId } from '../tables.ts'

declare module '#platform/context' {
  interface World {
    readonly turns: Turns
  }
}

export interface TurnLimits {
  /** Limits on concurrent writers of one repository, and of all of them. */
  readonly atOnce: number
  readonly atOnceInAll: number
  /** Queue length for one repository. */
  readonly waitingMax: number
  readonly waitMs: number
}

interface Waiter {
  readonly storageId: StorageId
  begin(): void
}

const RETRY_AFTER_S = 5

export class Turns {
  private readonly limits: TurnLimits
  private readonly taken = new Map<StorageId, number>()
  private takenInAll = 0
  /** In order of arrival. */
  private readonly line = new Set<Waiter>()

  constructor(limits: TurnLimits) {
    this.limits = limits
  }

  /**
   * Resolves when it is the caller's turn, which ends on dispose; rejects when the queue is too long or the wait times
   * out.
   */
  async take(storageId: StorageId): Promise<Disposable> {
    if (!this.isFree(storageId)) await this.wait(storageId)
    else this.count(storageId, 1)
    let isOver = false
    return {
      [Symbol.dispose]: () => {
        if (isOver) return
        isOver = true
        this.count(storageId, -1)
        this.callNext()
      },
    }
  }

  private wait(storageId: StorageId): Promise<void> {
    const inLine = [...this.line].filter((waiter) => waiter.storageId === storageId).length
    if (inLine >= this.limits.waitingMax) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = {
      storageId,
      begin: () => {
        clearTimeout(timer)
        this.line.delete(waiter)
        this.count(storageId, 1)
        resolve()
      },
    }
    const timer = setTimeout(() => {
      this.line.delete(waiter)
      reject(busy())
    }, this.limits.waitMs)
    this.line.add(waiter)
    return promise
  }

  private callNext(): void {
    for (const waiter of this.line) {
      if (this.takenInAll >= this.limits.atOnceInAll) return
      if (this.isFree(waiter.storageId)) waiter.begin()
    }
  }

  private isFree(storageId: StorageId): boolean {
    return this.takenInAll < this.limits.atOnceInAll && (this.taken.get(storageId) ?? 0) < this.limits.atOnce
  }

  private count(storageId: StorageId, change: 1 | -1): void {
    this.takenInAll += change
    const left = (this.taken.get(storageId) ?? 0) + change
    if (left === 0) this.taken.delete(storageId)
    else this.taken.set(storageId, left)
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'too many concurrent writes to this repository', {
    retryAfterS: RETRY_AFTER_S,
  })
}
