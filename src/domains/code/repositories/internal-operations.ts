/** Repository operations of the web UI that the REST API does not have. */
import { Type } from 'typebox'
import { abilitiesOf } from '#domains/people/access'
import { isBlockedByAny } from '#domains/people/users'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { openToAdmin, openToSee } from './access/open-repository.ts'
import { listLevels } from './collaborators/collaborators.ts'
import { interactionLimitOf, limitInteractions } from './limits/interaction-limits.ts'
import { listPins, openToPin, PINS_MAX, setPins } from './pins/pins.ts'
import { findTies } from './record/ties-store.ts'
import { RepositoryPath } from './schemas.ts'
import { presentRepository } from './wire.ts'

const Limit = Type.Object({
  group: Type.Union([
    Type.Literal('existing_users'),
    Type.Literal('contributors_only'),
    Type.Literal('collaborators_only'),
  ]),
  expiry: Type.Union([
    Type.Literal('one_day'),
    Type.Literal('three_days'),
    Type.Literal('one_week'),
    Type.Literal('one_month'),
    Type.Literal('six_months'),
  ]),
})

export const repositoryOperations = [
  /** The caller's rights on the repository. */
  internalOperation({
    operationId: 'repoGetAbilities',
    method: 'GET',
    params: RepositoryPath,
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async ({ ctx, opened: { access, owner_id, is_mirror: isMirror } }) => {
      const { actor } = ctx
      return abilitiesOf(access, {
        isSignedIn: actor !== null,
        isBlocked: actor !== null && (await isBlockedByAny(ctx, [owner_id], actor.id)),
        isMirror,
      })
    },
  }),
  /** Whether the caller starred and watches it. */
  internalOperation({
    operationId: 'repoGetTies',
    method: 'GET',
    params: RepositoryPath,
    open: async (visit) => ({ repo: await openToSee(visit.ctx, visit.params), actor: asSignedIn(visit) }),
    handle: ({ ctx, opened: { actor, repo } }) =>
      findTies(ctx.db, { user_id: actor.id, repository_id: repo.id }),
  }),
  /** Collaboration levels by account id. */
  internalOperation({
    operationId: 'repoListLevels',
    method: 'GET',
    params: RepositoryPath,
    body: Type.Object({ ids: Type.Array(Type.Integer()) }),
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: ({ ctx, opened, body }) => listLevels(ctx, opened, body.ids),
  }),
  internalOperation({
    operationId: 'repoGetInteractionLimit',
    method: 'GET',
    params: RepositoryPath,
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, opened }) => interactionLimitOf(opened, ctx.now()),
  }),
  /** Without a limit it ends. */
  internalOperation({
    operationId: 'repoLimitInteractions',
    method: 'POST',
    params: RepositoryPath,
    body: Type.Object({ limit: Type.Optional(Limit) }),
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: ({ ctx, opened, body }) => limitInteractions(ctx, opened, body.limit ?? null),
  }),
  /** The pinned repositories of a user or an organization that the caller may see. */
  internalOperation({
    operationId: 'pinsList',
    method: 'GET',
    params: Type.Object({ username: Type.String() }),
    open: ({ ctx, params }) => listPins(ctx, params.username),
    handle: async ({ ctx, opened }) => opened.map((repo) => presentRepository(repo, ctx.site)),
  }),
  /** Replaces them, in this order. */
  internalOperation({
    operationId: 'pinsSet',
    method: 'POST',
    params: Type.Object({ username: Type.String() }),
    body: Type.Object({ ids: Type.Array(Type.Integer(), { maxItems: PINS_MAX }) }),
    open: ({ ctx, params }) => openToPin(ctx, params.username),
    handle: ({ ctx, opened, body }) => setPins(ctx, opened, body.ids),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof repositoryOperations> {}
}
