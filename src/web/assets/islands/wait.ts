/** Looks again after a while, for as long as there is something to wait for. */
const PAUSE_MS = 3_000

if (document.querySelector('[data-wait]') !== null)
  setTimeout(() => document.hidden || location.reload(), PAUSE_MS)

addEventListener('visibilitychange', () => {
  if (!document.hidden && document.querySelector('[data-wait]') !== null) location.reload()
})

export {}
