/** When a token or a key was last used. */
const GRAIN_MS = 60_000

/** The time is for people: a minute more or less does not matter, a write on every request would. */
export function isUseWorthNoting(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > GRAIN_MS
}
