/** Commit operations of the web UI: distances between branches, blame, search, cherry-pick and revert. */
import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import { countDistances, searchText } from '#git'
import { internalOperation } from '#platform/rest'
import { CommitFields } from '../files/file-schemas.ts'
import { getRevision, openCode, openCodeToWrite } from '../open-code.ts'
import { readBlame } from './blame.ts'
import { HistoryQuery, showHistory } from './filter-history.ts'
import { pickCommit } from './pick-commit.ts'

const { branch, new_branch, message } = CommitFields.properties

export const commitOperations = [
  /** Ahead and behind the default branch, by commit; each pair is counted once and stored. */
  internalOperation({
    operationId: 'repoCountDistances',
    method: 'GET',
    params: RepositoryPath,
    body: Type.Object({ shas: Type.Array(Type.String()) }),
    open: openCode,
    handle: async ({ ctx, opened, body }) => {
      const { oid } = await getRevision(ctx, opened, undefined)
      return countDistances(ctx, opened.storage_id, oid, body.shas)
    },
  }),
  internalOperation({
    operationId: 'repoListHistory',
    method: 'GET',
    params: RepositoryPath,
    query: HistoryQuery,
    open: openCode,
    handle: ({ ctx, opened, query }) => showHistory(ctx, opened, query),
  }),
  internalOperation({
    operationId: 'repoGetBlame',
    method: 'GET',
    params: RepositoryPath,
    query: Type.Object({ ref: Type.String(), path: Type.String(), bypasses_ignored: Type.Boolean() }),
    open: openCode,
    handle: ({ ctx, opened, query }) => readBlame(ctx, opened, query),
  }),
  /** In the files of the default branch. */
  internalOperation({
    operationId: 'repoSearchText',
    method: 'GET',
    params: RepositoryPath,
    query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\n\\0]+$' }) }),
    open: openCode,
    handle: async ({ ctx, opened, query }) => {
      const { oid } = await getRevision(ctx, opened, undefined)
      return searchText(ctx, opened.storage_id, oid, query.q)
    },
  }),
  internalOperation({
    operationId: 'repoPickCommit',
    method: 'POST',
    params: inRepository({ sha: Type.String() }),
    body: Type.Object({ branch, new_branch, message, is_revert: Type.Boolean() }),
    open: openCodeToWrite,
    handle: ({ ctx, opened, params, body }) => pickCommit(ctx, opened, { ...body, sha: params.sha }),
  }),
] as const
