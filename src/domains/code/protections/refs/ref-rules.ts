/** The rules for a set of refs, read once. Fingerprints detect later changes of the rules. */
import type { Repository } from '#domains/code/repositories'
import { HEADS, TAGS } from '#git'
import type { Db } from '#platform/db'
import { ruleFinder, tagFit } from '../rules/rules.ts'
import { listBranchRulesFacing, listTagRulesFacing } from '../rules/store.ts'
import type { BranchProtectionRow, TagProtectionRow } from '../tables.ts'

/** A rule, and the mover's teams that rules of the repository can list. */
type Facing<R> = R & { readonly mover_team_ids: number[] }

export interface RefRules {
  /** The rule that applies to a branch, by its short name. */
  readonly findRule: (branch: string) => Facing<BranchProtectionRow> | undefined
  /** All rules that match a tag, by its short name. */
  readonly listTagRules: (tag: string) => Facing<TagProtectionRow>[]
}

/** `userId` is null for a deploy key. Branch or tag rules are queried only if `names` has such a ref. */
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

/** Keyed by ref name. A fingerprint changes with the rules of the ref and with the mover's teams. */
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
