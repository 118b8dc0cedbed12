/** Fuzzy file finder: matches letters in order, and prefers word beginnings and consecutive letters. */

interface Found {
  readonly item: HTMLElement
  readonly path: string
  readonly place: number
}

const SHOWN_MAX = 200

/** Higher is better; negative if a letter is missing. */
export function score(path: string, asked: string): number {
  const text = path.toLowerCase()
  const name = text.lastIndexOf('/') + 1
  let sum = 0
  let at = -1
  for (const letter of asked) {
    const next = text.indexOf(letter, at + 1)
    if (next < 0) return -1
    if (next === at + 1) sum += 6
    if (next === 0 || /[/._ -]/.test(text[next - 1] ?? '')) sum += 4
    if (next >= name) sum += 2
    at = next
  }
  if (text.slice(name).includes(asked)) sum += 20
  return sum + 20 / (1 + text.length)
}

function begin(): void {
  const field = document.querySelector<HTMLInputElement>('#finder')
  const list = document.querySelector<HTMLElement>('#finder-list')
  if (field === null || list === null) return
  const all: Found[] = [...list.children].map((item, place) => ({
    item: item as HTMLElement,
    path: item.textContent ?? '',
    place,
  }))
  const find = () => {
    const asked = field.value.toLowerCase().replace(/\s/g, '')
    const scored = all
      .map((it) => ({ ...it, score: asked === '' ? 1 : score(it.path, asked) }))
      .filter((it) => it.score >= 0)
    if (asked !== '') scored.sort((a, b) => b.score - a.score || a.place - b.place)
    list.replaceChildren(...scored.slice(0, asked === '' ? all.length : SHOWN_MAX).map(({ item }) => item))
  }
  const move = (event: KeyboardEvent) => {
    const links = [...list.querySelectorAll('a')]
    const now = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'ArrowDown') links[now + 1]?.focus()
    else if (event.key === 'ArrowUp') (now <= 0 ? field : links[now - 1])?.focus()
    else if (event.key === 'Enter' && event.target === field) links[0]?.click()
    else return
    event.preventDefault()
  }
  field.addEventListener('input', find)
  field.form?.parentElement?.parentElement?.addEventListener('keydown', move)
  if (field.value !== '') find()
}

if (typeof document !== 'undefined') begin()
