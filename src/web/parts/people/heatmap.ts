/** Contributions of a year: one square for each day, and the same data as a table by month. */
import { type Html, html } from '#platform/page'
import { peopleWords as words } from '../../words/people.ts'

interface Contribution {
  /** Unix time in seconds. */
  readonly timestamp: number
  readonly contributions: number
}

const DAY_MS = 86_400_000
const WEEKS = 53
const CELL = 13
const LEVELS = [1, 3, 6, 10] as const

export function heatmap(data: readonly Contribution[], now: Date): Html {
  const days = byDay(data)
  const today = Math.floor(now.getTime() / DAY_MS)
  // Columns are weeks that begin on Sunday; 1970-01-01 was a Thursday.
  const first = today - ((today + 4) % 7) - (WEEKS - 1) * 7
  const shown: Html[] = []
  let total = 0
  for (let day = first; day <= today; day++) {
    const number = days.get(day) ?? 0
    total += number
    const [x, y] = [Math.floor((day - first) / 7) * CELL, ((day - first) % 7) * CELL]
    shown.push(
      html`<rect x="${x}" y="${y}" class="h${levelOf(number)}">${number > 0 && html`<title>${words.contributionsOf(number, dateOf(day))}</title>`}</rect>`,
    )
  }
  return html`<section class="heatmap" aria-labelledby="heatmap-title"><h2 id="heatmap-title">${words.contributions(total)}</h2>
<div class="scrolls" tabindex="0" role="group" aria-labelledby="heatmap-title"><svg viewBox="0 0 ${WEEKS * CELL} ${7 * CELL}" width="${WEEKS * CELL}" height="${7 * CELL}" aria-hidden="true">${shown}</svg></div>
<details><summary>${words.asTable}</summary>${table(days, first, today)}</details></section>`
}

function byDay(data: readonly Contribution[]): Map<number, number> {
  const days = new Map<number, number>()
  for (const { timestamp, contributions } of data) {
    const day = Math.floor((timestamp * 1000) / DAY_MS)
    days.set(day, (days.get(day) ?? 0) + contributions)
  }
  return days
}

function table(days: ReadonlyMap<number, number>, first: number, today: number): Html {
  const months = new Map<string, number>()
  for (let day = first; day <= today; day++) {
    const month = dateOf(day).slice(0, 7)
    months.set(month, (months.get(month) ?? 0) + (days.get(day) ?? 0))
  }
  return html`<table class="list"><thead><tr><th scope="col">${words.month}</th><th scope="col">${words.contributionsTitle}</th></tr></thead>
<tbody>${[...months].map(([month, number]) => html`<tr><th scope="row">${month}</th><td>${number}</td></tr>`)}</tbody></table>`
}

function levelOf(number: number): number {
  return LEVELS.filter((least) => number >= least).length
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
