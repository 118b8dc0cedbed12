/** Every payload there is, by the type of event it tells of. A new one is a file beside this and a line here. */
import { forkPayload } from './fork.ts'
import type { AnyPayload } from './payload.ts'
import { pushPayload } from './push.ts'
import { createPayload, deletePayload } from './refs.ts'
import { releasePayload } from './release.ts'
import { repositoryPayload } from './repository.ts'
import { statusPayload } from './status.ts'
import { wikiPayload } from './wiki.ts'

export const PAYLOADS: Readonly<Record<string, AnyPayload>> = {
  push: pushPayload,
  create: createPayload,
  delete: deletePayload,
  fork: forkPayload,
  repository: repositoryPayload,
  release: releasePayload,
  wiki: wikiPayload,
  status: statusPayload,
}
