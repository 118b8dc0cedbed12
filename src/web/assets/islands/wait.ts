/** Looks again after a while, for as long as there is something to wait for. */
const PAUSE_MS = 3_000

if (document.querySelector('[data-wait]') !== null) {
  const timer = setTimeout(() => document.hidden || location.reload(), PAUSE_MS)
  // Whoever follows a link meanwhile would be brought back.
  addEventListener('beforeunload', () => clearTimeout(timer))
  addEventListener('visibilitychange', () => document.hidden || location.reload())
}

export {}
