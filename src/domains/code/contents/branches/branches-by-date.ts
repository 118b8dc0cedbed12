/** Branches for the page of branches: the default branch, and the others by the date of their last commit. */
import { type Static, Type } from 'typebox'
import { type DatedRef, findRefs, getStorage, HEADS, listRefsByDate } from '#git'
import type { Context } from '#platform/context'
import { pageFields, pageOf } from '#platform/rest'
import type { Code } from '../open-code.ts'
import { type Branch, type LoadedBranch, presentBranch } from './branch-wire.ts'
import { listBranches, loadBranches, loadBranchParts } from './branches.ts'

/** With more branches they are listed by name, all together. */
const DATED_MAX = 10_000
const ACTIVE_MS = 90 * 86_400_000

type State = Static<typeof State>
const State = Type.Union([Type.Literal('active'), Type.Literal('stale'), Type.Literal('all')])

export const BranchesQuery = Type.Object({
  ...pageFields,
  /** A part of the name, in any case. */
  q: Type.Optional(Type.String({ maxLength: 250 })),
  /** Without it the active branches, if there are any and nothing is searched. */
  state: Type.Optional(State),
})

export interface BranchesByDate {
  /** Undefined when it does not match, or is among the items. */
  readonly main: Branch | undefined
  readonly items: readonly Branch[]
  readonly total: number
  readonly state: State
  /** By state, without the default branch; null when the branches are listed by name. */
  readonly counts: Readonly<Record<State, number>> | null
}

export async function listBranchesByDate(
  ctx: Context,
  code: Code,
  query: Static<typeof BranchesQuery>,
): Promise<BranchesByDate> {
  const { q = '', state } = query
  const page = pageOf(ctx, query)
  const dated = code.branches > DATED_MAX ? [] : await loadDated(ctx, code)
  // The cache on disk keeps no refs of a repository with very many of them.
  if (dated.length === 0) {
    const { branches, total } = await listBranches(ctx, code, q, page)
    const items = await present(ctx, code, branches)
    return { main: undefined, items, total, state: 'all', counts: null }
  }
  const matching = dated.filter(({ name }) => nameOf(name).toLowerCase().includes(q.toLowerCase()))
  const main = HEADS + code.default_branch
  const all = matching.filter(({ name }) => name !== main)
  const isActive = ({ at }: DatedRef) => ctx.now().getTime() - at.getTime() < ACTIVE_MS
  const lists = { active: all.filter(isActive), stale: all.filter((it) => !isActive(it)), all }
  const chosen = state ?? (q === '' && lists.active.length > 0 ? 'active' : 'all')
  const shown = lists[chosen].slice(page.offset, page.offset + page.limit).map(({ name }) => name)
  const hasMain = page.number === 1 && matching.length > all.length
  const branches = await load(ctx, code, hasMain ? [main, ...shown] : shown)
  const isMain = ({ name }: Branch) => name === code.default_branch
  return {
    main: branches.find(isMain),
    items: branches.filter((it) => !isMain(it)),
    total: lists[chosen].length,
    state: chosen,
    counts: { active: lists.active.length, stale: lists.stale.length, all: all.length },
  }
}

async function loadDated(ctx: Context, code: Code): Promise<readonly DatedRef[]> {
  if (code.branches === 0) return []
  return listRefsByDate(ctx, await getStorage(ctx.db, code.storage_id), 'refs/heads')
}

function nameOf(ref: string): string {
  return ref.slice(HEADS.length)
}

/** In this order. */
async function load(ctx: Context, code: Code, names: readonly string[]): Promise<Branch[]> {
  const refs = await findRefs(ctx.db, code.storage_id, names)
  const found = names.flatMap((name) => refs.get(name) ?? [])
  return present(ctx, code, await loadBranches(ctx, code, found))
}

async function present(ctx: Context, code: Code, branches: readonly LoadedBranch[]): Promise<Branch[]> {
  const parts = await loadBranchParts(ctx, code, branches)
  return branches.map((branch) => presentBranch(branch, parts, code, ctx.site))
}
