/**
 * The expected webhook deliveries and feed entries for refs that moved. It knows nothing of processes and networks: what
 * was received is passed in.
 */
import { type Move, NONE } from './ledger.ts'
import { differences } from './tally.ts'

/** One delivery, however often it came. */
export interface Heard {
  readonly id: string
  readonly event: string
  readonly body: string
  /** It was answered correctly at least once; only then has it arrived. */
  readonly isThanked: boolean
}

/** An activity as the feed of a repository shows it. */
export interface SeenAct {
  readonly op_type: string
  readonly ref_name: string
  readonly content: string
}

const BRANCHES = 'refs/heads/'
const TAGS = 'refs/tags/'

/**
 * Every move is delivered, repeatedly if needed, but under one delivery id; and nothing is delivered that did not happen.
 */
export function checkNews(landed: readonly Move[], heard: readonly Heard[]): string[] {
  const lost = heard.filter(({ isThanked }) => !isThanked)
  return [
    ...lost.map(({ id, ...it }) => `delivery ${id} was given up: ${describeNews(it)}`),
    ...differences(landed.flatMap(newsOf), heard.map(describeNews)).map((it) => `by webhooks ${it}`),
  ]
}

/** Every move is in the feed once, and so is the creation of the repository. */
export function checkActs(landed: readonly Move[], acts: readonly SeenAct[]): string[] {
  const expected = [describe('create_repo', ''), ...landed.flatMap(actsOf)]
  const seen = acts.map((act) => describe(act.op_type, act.ref_name, shownIn(act)))
  return differences(expected, seen).map((it) => `in the feed ${it}`)
}

/** Compat: deleting a branch is no push event, deleting a tag is one; a moved tag is reported like a new one. */
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

/** Compat: a new branch has two entries, as created and as pushed to. */
function actsOf({ ref, old, new: oid }: Move): string[] {
  if (ref.startsWith(TAGS))
    return [oid === NONE ? describe('delete_tag', ref) : describe('push_tag', ref, oid)]
  if (!ref.startsWith(BRANCHES)) return []
  if (oid === NONE) return [describe('delete_branch', ref)]
  return [...(old === NONE ? [describe('commit_repo', ref)] : []), describe('commit_repo', ref, oid)]
}

/** The object an activity shows: the last commit of a branch; for a tag only the comparison names the object. */
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
