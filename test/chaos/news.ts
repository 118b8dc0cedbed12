/**
 * What the world must hear of refs that moved, in the words of webhooks and in those of the feed. It knows nothing of
 * processes and networks: what was heard is handed to it.
 */
import { type Move, NONE } from './ledger.ts'
import { differences } from './tally.ts'

/** One delivery, however often it came. */
export interface Heard {
  readonly id: string
  readonly event: string
  readonly body: string
  /** At least once it was answered as it should be; only then has it arrived. */
  readonly isThanked: boolean
}

/** An act as the feed of a repository shows it. */
export interface SeenAct {
  readonly op_type: string
  readonly ref_name: string
  readonly content: string
}

const BRANCHES = 'refs/heads/'
const TAGS = 'refs/tags/'

/** Every move is told as often as it takes, but under one name; and nothing is told that did not happen. */
export function checkNews(landed: readonly Move[], heard: readonly Heard[]): string[] {
  const lost = heard.filter(({ isThanked }) => !isThanked)
  return [
    ...lost.map(({ id, ...it }) => `delivery ${id} was given up: ${describeNews(it)}`),
    ...differences(landed.flatMap(newsOf), heard.map(describeNews)).map((it) => `by webhooks ${it}`),
  ]
}

/** Every move is in the feed once, and so is the repository itself. */
export function checkActs(landed: readonly Move[], acts: readonly SeenAct[]): string[] {
  const expected = [describe('create_repo', ''), ...landed.flatMap(actsOf)]
  const seen = acts.map((act) => describe(act.op_type, act.ref_name, shownIn(act)))
  return differences(expected, seen).map((it) => `in the feed ${it}`)
}

/** Compat: a branch that goes is no push, a tag that goes is one; a tag that moves is told as one that is new. */
function newsOf({ ref, old, new: oid }: Move): string[] {
  const isBranch = ref.startsWith(BRANCHES)
  if (!isBranch && !ref.startsWith(TAGS)) return []
  const gone = describe('delete', ref)
  if (oid === NONE) return isBranch ? [gone] : [describe('push', ref, old, oid), gone]
  const isNew = old === NONE || !isBranch
  return isNew
    ? [describe('push', ref, NONE, oid), describe('create', ref, oid)]
    : [describe('push', ref, old, oid)]
}

function describeNews({ event, body }: Pick<Heard, 'event' | 'body'>): string {
  const said = JSON.parse(body) as Record<'ref' | 'ref_type' | 'before' | 'after' | 'sha', string | undefined>
  if (event === 'push') return describe(event, said.ref, said.before, said.after)
  const ref = `${said.ref_type === 'branch' ? BRANCHES : TAGS}${said.ref}`
  return event === 'create' ? describe(event, ref, said.sha) : describe(event, ref)
}

/** Compat: a new branch is told twice, as made and as pushed to. */
function actsOf({ ref, old, new: oid }: Move): string[] {
  if (ref.startsWith(TAGS))
    return [oid === NONE ? describe('delete_tag', ref) : describe('push_tag', ref, oid)]
  if (!ref.startsWith(BRANCHES)) return []
  if (oid === NONE) return [describe('delete_branch', ref)]
  return [...(old === NONE ? [describe('commit_repo', ref)] : []), describe('commit_repo', ref, oid)]
}

/** The object an act shows: the last commit of a branch; of a tag only the comparison says which object it is. */
function shownIn({ op_type, content }: SeenAct): string | undefined {
  if (content === '') return undefined
  const { HeadCommit, CompareURL } = JSON.parse(content) as {
    HeadCommit: { Sha1: string } | null
    CompareURL: string
  }
  return op_type === 'push_tag' ? CompareURL.split('...')[1] : HeadCommit?.Sha1
}

function describe(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined).join(' ')
}
