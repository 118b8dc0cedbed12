/** The number of unread notifications in the bar. */

export function showUnread(bell: HTMLElement, unread: number): void {
  bell.dataset.unread = `${unread}`
  bell.classList.toggle('unread', unread > 0)
  bell.setAttribute('aria-label', unread > 0 ? `Notifications, ${unread} unread` : 'Notifications')
  const counter = bell.querySelector('.counter')
  if (counter !== null) counter.textContent = unread > 0 ? `${unread}` : ''
}
