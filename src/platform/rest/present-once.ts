/** Many rows of a page name the same account or repository: its record is made once for all of them. */
export function presentOnce<T extends object, Shown>(present: (it: T) => Shown): (it: T) => Shown {
  const known = new Map<T, Shown>()
  return (it) => {
    const shown = known.get(it) ?? present(it)
    known.set(it, shown)
    return shown
  }
}
