/** The number of unread notifications in the bar. */

export function showUnread(bell: HTMLElement, unread: number): void {
  bell.dataset.unread = `${unread}`
  bell.classList.toggle('unread', unread > 0)
  const { none = '', some = '' } = bell.dataset
  bell.setAttribute('aria-label', unread > 0 ? some.replace('{n}', `${unread}`) : none)
  const counter = bell.querySelector('.counter')
  if (counter !== null) counter.textContent = unread > 0 ? `${unread}` : ''
}
