/** When a token or a key was last used. */
const GRAIN_MS = 60_000

/** A minute's precision is enough for users, and saves a write on every request. */
export function isUseWorthNoting(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > GRAIN_MS
}
