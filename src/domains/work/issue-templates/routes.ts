/** Issue templates and issue config over REST. */
import { Type } from 'typebox'
import { openToSee, RepositoryPath } from '#domains/code/repositories'
import { ok, type Route, routesOf } from '#platform/rest'
import { findIssueConfig, findIssueTemplates } from './find-templates.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const Facts = Type.Record(Type.String(), Type.Unknown())
const IssueFormField = Type.Object(
  {
    type: Type.String({ description: 'field type: markdown, textarea, input, dropdown or checkboxes' }),
    id: Type.String(),
    attributes: Facts,
    validations: Type.Union([Facts, Type.Null()]),
    visible: Type.Array(Type.String({ description: 'where the field is shown: form or content' })),
  },
  { title: 'IssueFormField' },
)
const IssueTemplate = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    about: Type.String(),
    labels: Type.Array(Type.String()),
    assignees: Type.Array(Type.String()),
    ref: Type.String(),
    content: Type.String(),
    body: Type.Array(IssueFormField),
    file_name: Type.String(),
  },
  { title: 'IssueTemplate' },
)
const IssueConfigContactLink = Type.Object(
  { name: Type.String(), url: Type.String(), about: Type.String() },
  { title: 'IssueConfigContactLink' },
)
const IssueConfig = Type.Object(
  { blank_issues_enabled: Type.Boolean(), contact_links: Type.Array(IssueConfigContactLink) },
  { title: 'IssueConfig' },
)
const IssueConfigValidation = Type.Object(
  { valid: Type.Boolean(), message: Type.String() },
  { title: 'IssueConfigValidation' },
)

export const templateRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/issue_templates',
    operationId: 'repoGetIssueTemplates',
    summary: 'List issue templates',
    params: RepositoryPath,
    answers: { 200: Type.Array(IssueTemplate) },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async ({ ctx, opened }) => ok(await findIssueTemplates(ctx, opened)),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/issue_config',
    operationId: 'repoGetIssueConfig',
    summary: 'Get the issue configuration',
    params: RepositoryPath,
    answers: { 200: IssueConfig },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async ({ ctx, opened }) => ok((await findIssueConfig(ctx, opened)).config),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/issue_config/validate',
    operationId: 'repoValidateIssueConfig',
    summary: 'Validate the issue configuration',
    params: RepositoryPath,
    answers: { 200: IssueConfigValidation },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async ({ ctx, opened }) => {
      const { fault } = await findIssueConfig(ctx, opened)
      return ok({ valid: fault === '', message: fault })
    },
  }),
]
