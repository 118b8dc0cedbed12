/** Marks the notification of a conversation as read once the conversation is visible. */
function markRead(): void {
  const form = document.querySelector<HTMLFormElement>('body:has(.bell.unread) #marks-read')
  if (form === null) return
  if (document.hidden) {
    addEventListener('visibilitychange', markRead, { once: true })
    return
  }
  const body = new URLSearchParams(new FormData(form) as unknown as URLSearchParams)
  // News that came later are not on the page.
  body.set('seen_ms_ago', `${Math.ceil(performance.now())}`)
  fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => undefined)
}

// The page's own requests come first.
if (document.readyState === 'complete') markRead()
else addEventListener('load', markRead, { once: true })

export {}
