/** Marks a file as viewed without reloading the page; if that fails, the page is loaded again. */

export async function markViewed(button: HTMLButtonElement): Promise<void> {
  const file = button.closest<HTMLElement>('.diff-file')
  const [mark, ...rest] = button.value.split(' ')
  const isViewed = mark === '1'
  button.setAttribute('aria-checked', String(isViewed))
  button.value = [isViewed ? '0' : '1', ...rest].join(' ')
  count(isViewed ? 1 : -1)
  file?.querySelector('details')?.toggleAttribute('open', !isViewed)
  const body = new URLSearchParams({ form: 'viewed', file: [mark, ...rest].join(' ') })
  const answer = await fetch(button.form?.action ?? location.href, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  if (answer.type !== 'opaqueredirect') location.reload()
}

function count(change: 1 | -1): void {
  const counter = document.querySelector<HTMLElement>('[data-viewed]')
  if (!counter) return
  const number = Number.parseInt(counter.textContent, 10) + change
  counter.textContent = (counter.dataset.viewed ?? '').replace('{n}', String(number))
}
