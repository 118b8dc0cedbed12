/** Reloads the page at intervals while it has something to wait for. */
const PAUSE_MS = 3_000

if (document.querySelector('[data-wait]') !== null) {
  const timer = setTimeout(() => document.hidden || location.reload(), PAUSE_MS)
  // A reload would cancel a link that is being followed.
  addEventListener('beforeunload', () => clearTimeout(timer))
  addEventListener('visibilitychange', () => document.hidden || location.reload())
}

export {}
