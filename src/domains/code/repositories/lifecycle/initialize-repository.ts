/** Creates the storage, the first commit and the record of a new repository: all or none. */
import {
  adoptStorage,
  allowing,
  commitFiles,
  copyTree,
  createStorage,
  type FileChange,
  HEADS,
  type ObjectFormat,
  type Person,
  type StorageId,
} from '#git'
import { asPreparation, type Context, type TxContext, transact } from '#platform/context'
import { refsMoved } from '../record/refs-moved.ts'

export interface InitialContent {
  readonly objectFormat: ObjectFormat
  readonly branch: string
  readonly author: Person
  readonly actorId: number
  readonly content: FirstContent | null
}
/** New files, or the tree of a commit of another repository. */
type FirstContent = readonly FileChange[] | { readonly storageId: StorageId; readonly commit: string }

/** Inserts the record and returns its id. */
export type WriteRecord = (ctx: TxContext, storageId: StorageId) => Promise<number>

const MESSAGE = 'Initial commit'

export async function initializeRepository(
  ctx: Context,
  { content, ...beginning }: InitialContent,
  write: WriteRecord,
): Promise<number> {
  return content === null
    ? beginEmpty(ctx, beginning, write)
    : beginWith(ctx, { content, ...beginning }, write)
}

function beginEmpty(
  ctx: Context,
  beginning: Omit<InitialContent, 'content'>,
  write: WriteRecord,
): Promise<number> {
  return transact(ctx, async (ctx) => {
    const head = HEADS + beginning.branch
    const options = { objectFormat: beginning.objectFormat, head, now: ctx.now() }
    return write(ctx, await createStorage(ctx.db, options))
  })
}

/** The record is inserted in the transaction that creates the branch. A storage that is not adopted is swept. */
async function beginWith(
  ctx: Context,
  beginning: InitialContent & { readonly content: FirstContent },
  write: WriteRecord,
): Promise<number> {
  const { objectFormat, branch, author, actorId, content } = beginning
  const head = HEADS + branch
  const options = { objectFormat, head, now: ctx.now(), isAdopted: false }
  const storageId = await transact(asPreparation(ctx), (ctx) => createStorage(ctx.db, options))
  let id = 0
  const policy = allowing(async (ctx, moved) => {
    id = await write(ctx, storageId)
    await adoptStorage(ctx.db, storageId)
    await refsMoved(ctx, moved, {
      cause: 'initial',
      repository_id: id,
      actor_id: actorId,
      deploy_key_id: null,
    })
  })
  const words = { message: MESSAGE, author, committer: author }
  if ('storageId' in content)
    await copyTree(ctx, storageId, { from: content, branch: head, ...words }, policy)
  else await commitFiles(ctx, storageId, { target: { branch: head }, changes: content, ...words }, policy)
  return id
}
