/** Changes the labels of an issue. */
import { countLabels, type LabelRow } from '#domains/work/labels'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { eventOf } from '../events.ts'
import { applyChange, beginChange, type Change } from '../records/change.ts'
import { type Caller, openToWork } from '../records/open-issue.ts'
import type { NewEntry } from '../timeline/entries.ts'
import {
  deleteLabels,
  findUsable,
  findUsableByName,
  insertLabels,
  type LabelPlace,
  listLabelsOf,
} from './store.ts'

/** Either ids or names. */
export type LabelNames = readonly (number | string)[]

/** Skips labels that the repository does not have. */
export function changeLabels(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  names: LabelNames,
  how: 'add' | 'replace',
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { repo, issue } = await openToWork(ctx, tracker, number)
    const labels = await findNamed(ctx, repo, names)
    const now = (await listLabelsOf(ctx.db, [issue.id])).get(issue.id) ?? []
    const change = beginChange(issue, actor)
    await setLabels(ctx, change, now, dropRivals(how === 'add' ? [...now, ...labels] : labels))
    await applyChange(ctx, change)
  })
}

/** One label or all. No-op if the issue lacks the label; 404 if the repository lacks it. */
export function removeLabels(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  which: number | 'all',
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { repo, issue } = await openToWork(ctx, tracker, number)
    if (which !== 'all' && (await findUsable(ctx.db, repo, [which])).length === 0)
      throw notFound('label', which)
    const now = (await listLabelsOf(ctx.db, [issue.id])).get(issue.id) ?? []
    const change = beginChange(issue, actor)
    const wanted = which === 'all' ? [] : now.filter(({ id }) => id !== which)
    await setLabels(ctx, change, now, wanted, { isCleared: which === 'all' })
    await applyChange(ctx, change)
  })
}

/** Replaces the labels of the issue. */
export async function setLabels(
  ctx: TxContext,
  change: Change,
  now: readonly LabelRow[],
  wanted: readonly LabelRow[],
  { isCleared = false } = {},
): Promise<void> {
  const { issue, actor, entries, telling } = change
  const lost = without(now, wanted)
  const gained = without(wanted, now)
  if (lost.length === 0 && gained.length === 0) return
  const removed = lost.map(({ id }) => id)
  const added = gained.map(({ id }) => id)
  await deleteLabels(ctx.db, issue.id, removed)
  await insertLabels(ctx.db, issue.id, added)
  const { is_closed } = { ...issue, ...change.patch }
  await countLabels(ctx.db, removed, { issues: -1, closed_issues: is_closed ? -1 : 0 })
  await countLabels(ctx.db, added, { issues: 1, closed_issues: is_closed ? 1 : 0 })
  entries.push(...entriesOf(lost, gained))
  const event = { ...eventOf(issue, actor), removed_label_ids: removed }
  telling.push(() =>
    isCleared
      ? emit(ctx, 'issue.labels_cleared', event)
      : emit(ctx, 'issue.labeled', { ...event, added_label_ids: added }),
  )
}

/** Of exclusive labels with the same scope (the name up to the last slash), the last one stays. */
export function dropRivals(labels: readonly LabelRow[]): LabelRow[] {
  return labels.filter((label, place) => {
    const scope = scopeOf(label)
    const later = labels.slice(place + 1)
    return scope === '' || !later.some((other) => other.id !== label.id && scopeOf(other) === scope)
  })
}

function scopeOf({ name, is_exclusive }: LabelRow): string {
  const end = name.lastIndexOf('/')
  return is_exclusive && end > 0 && end < name.length - 1 ? name.slice(0, end) : ''
}

function without(labels: readonly LabelRow[], others: readonly LabelRow[]): LabelRow[] {
  const ids = new Set(others.map(({ id }) => id))
  const left = new Map(labels.filter(({ id }) => !ids.has(id)).map((label) => [label.id, label]))
  return [...left.values()]
}

/** Compat: the entry of an exclusive label follows those of the labels it replaces; other removals come last. */
function entriesOf(lost: readonly LabelRow[], gained: readonly LabelRow[]): NewEntry[] {
  const rivalsOf = (label: LabelRow) =>
    lost.filter((other) => scopeOf(label) !== '' && scopeOf(other) === scopeOf(label))
  const driven = new Set(gained.flatMap(rivalsOf))
  const removal = ({ id }: LabelRow): NewEntry => ({ kind: 'label', payload: { label_id: id } })
  // Compat: body `1` marks an added label.
  const addition = ({ id }: LabelRow): NewEntry => ({ kind: 'label', body: '1', payload: { label_id: id } })
  return [
    ...gained.flatMap((label) => [...rivalsOf(label).map(removal), addition(label)]),
    ...lost.filter((label) => !driven.has(label)).map(removal),
  ]
}

async function findNamed(ctx: TxContext, place: LabelPlace, names: LabelNames): Promise<LabelRow[]> {
  const ids = names.filter((name) => typeof name === 'number')
  const words = names.filter((name) => typeof name === 'string')
  if (ids.length > 0 && words.length > 0)
    throw new Problem('malformed', 'labels should be an array of strings or integers')
  const found = ids.length > 0 ? await findUsable(ctx.db, place, ids) : []
  return words.length > 0 ? findUsableByName(ctx.db, place, words) : inOrder(found, ids)
}

/** In the order of `ids`, because the last of exclusive labels wins. */
function inOrder(labels: readonly LabelRow[], ids: readonly number[]): LabelRow[] {
  return ids.flatMap((id) => labels.find((label) => label.id === id) ?? [])
}
