/** Records of a repository as the REST API answers them, page by page. */
import type { OperationId } from '#platform/rest'
import { PULLS, type RecordList } from './format.ts'

export type ApiRecord = Readonly<Record<string, unknown>>

/** What an export needs of the operations that pages call, too. */
export interface Operations {
  ask(id: OperationId, given: Given): Promise<unknown>
  list(id: OperationId, given: Given): Promise<{ readonly items: readonly unknown[] }>
}
type Given = Readonly<Record<string, string | number>>

/** A repository by its names. */
export interface Named {
  readonly owner: string
  readonly repo: string
}

const PAGE = 50

export async function* readList(api: Operations, named: Named, list: RecordList): AsyncGenerator<ApiRecord> {
  for await (const page of readPages(api, named, list)) yield* page
}

export async function* readPages(
  api: Operations,
  named: Named,
  { operationId, given = {}, isPaged }: RecordList,
): AsyncGenerator<readonly ApiRecord[]> {
  for (let page = 1; ; page++) {
    const paging = isPaged ? { page, limit: PAGE } : {}
    const { items } = await api.list(operationId, { ...named, ...given, ...paging })
    yield items as readonly ApiRecord[]
    if (!isPaged || items.length === 0) return
  }
}

/** The reviews of each pull request that has some, each with its remarks on lines. */
export async function* readReviews(api: Operations, named: Named): AsyncGenerator<ApiRecord> {
  for await (const { number: index, review_comments } of readList(api, named, PULLS)) {
    if (review_comments === 0) continue
    const reviews: ApiRecord[] = []
    const given = { index: String(index) }
    const list = { kind: 'reviews', operationId: 'repoListPullReviews', given, isPaged: true } as const
    for await (const review of readList(api, named, list)) {
      // Only its author sees a review that is not submitted.
      if (review.state === 'PENDING') continue
      reviews.push({ ...review, lines: await readReviewComments(api, named, String(index), review) })
    }
    if (reviews.length > 0) yield { number: index, reviews }
  }
}

async function readReviewComments(
  api: Operations,
  named: Named,
  index: string,
  { id, comments_count }: ApiRecord,
) {
  if (comments_count === 0) return []
  return (await api.list('repoGetPullReviewComments', { ...named, index, id: String(id) })).items
}

/** Fields of accounts that only administrators and the person see. */
const PRIVATE = {
  email: '',
  login_name: '',
  source_id: 0,
  language: '',
  is_admin: false,
  last_login: null,
  active: false,
  prohibit_login: false,
}

/** For `JSON.stringify`: e-mail addresses and sign-in data of people never leave with records. */
export function withoutPrivate(_key: string, value: unknown): unknown {
  return isPerson(value) ? { ...value, ...PRIVATE } : value
}

export function isPerson(
  value: unknown,
): value is { readonly id: number; readonly login: string; readonly full_name: string } {
  return typeof value === 'object' && value !== null && 'login_name' in value && 'login' in value
}
