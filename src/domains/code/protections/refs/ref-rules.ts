/** The rules that are asked about refs, as one reading of them: who decides by it can tell later whether they are the same. */
import type { Repository } from '#domains/code/repositories'
import { HEADS, TAGS } from '#git'
import type { Db } from '#platform/db'
import { ruleFinder, tagFit } from '../rules/rules.ts'
import { listBranchRulesFacing, listTagRulesFacing } from '../rules/store.ts'
import type { BranchProtectionRow, TagProtectionRow } from '../tables.ts'

/** A rule, and those of its mover's teams that any rule of the repository could name. */
type Facing<R> = R & { readonly mover_team_ids: number[] }

export interface RefRules {
  /** The one rule of a branch, by its short name. */
  readonly findRule: (branch: string) => Facing<BranchProtectionRow> | undefined
  /** All rules that fit a tag, by its short name. */
  readonly listTagRules: (tag: string) => Facing<TagProtectionRow>[]
}

/** `userId` is null for a deploy key. A kind of ref that is not among `names` costs no query. */
export async function findRefRules(
  db: Db,
  repo: Repository,
  userId: number | null,
  names: readonly string[],
): Promise<RefRules> {
  const isAny = (prefix: string) => names.some((name) => name.startsWith(prefix))
  const branches = isAny(HEADS) ? await listBranchRulesFacing(db, repo, userId ?? 0) : []
  const tags = isAny(TAGS) ? await listTagRulesFacing(db, repo, userId ?? 0) : []
  const fits = tags.map((rule) => ({ rule, fits: tagFit(rule.name_pattern) }))
  return {
    findRule: ruleFinder(branches),
    listTagRules: (tag) => fits.filter((it) => it.fits(tag)).map(({ rule }) => rule),
  }
}

/** By the name of each ref, a text that is another as soon as a rule for it is, or the mover's teams are. */
export function fingerprintsOf(rules: RefRules, names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, JSON.stringify(rulesFor(rules, name).map(canonical))]))
}

function rulesFor(rules: RefRules, name: string): Facing<BranchProtectionRow | TagProtectionRow>[] {
  if (name.startsWith(TAGS))
    return rules.listTagRules(name.slice(TAGS.length)).toSorted((a, b) => a.id - b.id)
  const rule = name.startsWith(HEADS) ? rules.findRule(name.slice(HEADS.length)) : undefined
  return rule === undefined ? [] : [rule]
}

function canonical<R>(rule: Facing<R>): Facing<R> {
  return { ...rule, mover_team_ids: rule.mover_team_ids.toSorted((a, b) => a - b) }
}
