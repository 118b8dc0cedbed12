/** Batches at the LFS server of another site, by the guarded client. */
import { type Static, Type } from 'typebox'
import { authorizationOf, type Remote } from '#git'
import type { Context } from '#platform/context'
import { readJson } from '#platform/outbound'
import { invalid, Problem } from '#platform/problem'
import { JSON_TYPE, type Pointer } from '../wire.ts'

/** Servers take this many, and their answer stays below the limit for JSON. */
export const BATCH_MAX = 100
const ANSWER_BYTES_MAX = 1024 * 1024
const HREF_MAX = 8_192
const HEADERS_MAX = 20

const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
const Header = Type.Record(Type.String(), Type.String({ maxLength: HREF_MAX }), {
  maxProperties: HEADERS_MAX,
})
const Action = Type.Object({ href: Type.String({ maxLength: HREF_MAX }), header: maybe(Header) })
const Answered = Type.Object({
  oid: Type.String(),
  actions: maybe(Type.Object({ download: maybe(Action), upload: maybe(Action), verify: maybe(Action) })),
  error: maybe(Type.Object({ code: Type.Integer() })),
})
const Answer = Type.Object({
  transfer: maybe(Type.String()),
  objects: Type.Array(Answered, { maxItems: BATCH_MAX }),
})

export type RemoteAction = Static<typeof Action>

export interface RemoteLfs {
  readonly endpoint: string
  readonly authorization: string | undefined
}

/** What the server answered for an object that it was asked for. */
export interface RemoteObject {
  readonly pointer: Pointer
  readonly actions: Static<typeof Answered>['actions']
  readonly errorCode: number | undefined
}

/** Credentials of the remote are sent to its own host only; `endpoint` may be on another. */
export function remoteLfsOf(remote: Remote, endpoint: string | null): RemoteLfs {
  const derived = endpointOf(remote.url)
  const isTheirs = endpoint === null || URL.parse(endpoint)?.origin === URL.parse(derived)?.origin
  return {
    endpoint: (endpoint ?? derived).replace(/\/+$/, ''),
    authorization: isTheirs ? authorizationOf(remote) : undefined,
  }
}

/** By the convention of clients: below the repository, whose name ends with `.git`. */
export function endpointOf(cloneUrl: string): string {
  const url = URL.parse(cloneUrl)
  if (url === null) throw invalid('address of the remote is not a URL')
  url.search = ''
  url.hash = ''
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\.git$/i, '')}.git/info/lfs`
  return url.href
}

/** At most BATCH_MAX pointers. Objects that were not asked for are left out. */
export async function askRemote(
  ctx: Context,
  { endpoint, authorization }: RemoteLfs,
  operation: 'download' | 'upload',
  pointers: readonly Pointer[],
): Promise<RemoteObject[]> {
  const { status, body } = await ctx.outbound.request({
    method: 'POST',
    url: `${endpoint}/objects/batch`,
    headers: { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...(authorization && { authorization }) },
    body: JSON.stringify({ operation, transfers: ['basic'], objects: pointers, hash_algo: 'sha256' }),
    answerBytesMax: ANSWER_BYTES_MAX,
    signal: ctx.signal,
  })
  if (status === 401 || status === 403)
    throw invalid('Git LFS server of the remote rejected the credentials', { status })
  if (status !== 200) throw new Problem('invalid', 'Git LFS server of the remote failed', { status })
  const answer = await readJson(body, Answer)
  if (answer === undefined || (answer.transfer ?? 'basic') !== 'basic')
    throw invalid('answer of the Git LFS server of the remote could not be read')
  const asked = new Map(pointers.map((pointer) => [pointer.oid, pointer]))
  return answer.objects.flatMap(({ oid, actions, error }) => {
    const pointer = asked.get(oid)
    asked.delete(oid)
    return pointer === undefined ? [] : [{ pointer, actions, errorCode: error?.code }]
  })
}

/** As clients do: the headers of the action, or the credentials of the server at its own host. */
export function headersFor({ endpoint, authorization }: RemoteLfs, { href, header }: RemoteAction) {
  const given = { ...header }
  const hasOwn = Object.keys(given).some((name) => name.toLowerCase() === 'authorization')
  const isTheirs = URL.parse(href)?.origin === URL.parse(endpoint)?.origin
  return !hasOwn && isTheirs && authorization !== undefined ? { ...given, authorization } : given
}
