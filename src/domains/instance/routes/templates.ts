/** What a new repository can begin with, over REST. */
import { Type } from 'typebox'
import {
  findGitignore,
  findLabelSet,
  findLicense,
  listGitignores,
  listLabelSets,
  listLicenses,
} from '#domains/templates'
import { notFound } from '#platform/problem'
import { asAnybody, ok, type Route, route } from '#platform/rest'

const NamePath = Type.Object({ name: Type.String() })
const GitignoreTemplateInfo = Type.Object(
  { name: Type.String(), source: Type.String() },
  { title: 'GitignoreTemplateInfo' },
)
const LicensesTemplateListEntry = Type.Object(
  { key: Type.String(), name: Type.String(), url: Type.String() },
  { title: 'LicensesTemplateListEntry' },
)
const LicenseTemplateInfo = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    url: Type.String(),
    implementation: Type.String({ description: 'how to apply it' }),
    body: Type.String(),
  },
  { title: 'LicenseTemplateInfo' },
)
const LabelTemplate = Type.Object(
  { name: Type.String(), exclusive: Type.Boolean(), color: Type.String(), description: Type.String() },
  { title: 'LabelTemplate' },
)
const HOW_TO_APPLY = 'Put the text into a file called LICENSE at the root of the repository.'

const template = { tag: 'miscellaneous', method: 'GET', scopes: [], open: asAnybody } as const

export const templateRoutes: readonly Route[] = [
  route({
    ...template,
    path: '/gitignore/templates',
    operationId: 'listGitignoresTemplates',
    summary: 'Names of sets of files that git should ignore',
    answers: { 200: Type.Array(Type.String()) },
    handle: async () => ok(await listGitignores()),
  }),
  route({
    ...template,
    path: '/gitignore/templates/:name',
    operationId: 'getGitignoreTemplateInfo',
    summary: 'A set of files that git should ignore',
    params: NamePath,
    answers: { 200: GitignoreTemplateInfo },
    handle: async ({ params: { name } }) => ok({ name, source: found(name, await findGitignore(name)) }),
  }),
  route({
    ...template,
    path: '/licenses',
    operationId: 'listLicenseTemplates',
    summary: 'Licences by their SPDX names',
    answers: { 200: Type.Array(LicensesTemplateListEntry) },
    handle: async ({ ctx }) =>
      ok(listLicenses().map((key) => ({ key, name: key, url: `${ctx.site.apiUrl}/licenses/${key}` }))),
  }),
  route({
    ...template,
    path: '/licenses/:name',
    operationId: 'getLicenseTemplateInfo',
    summary: 'A licence with its text',
    params: NamePath,
    answers: { 200: LicenseTemplateInfo },
    handle: async ({ ctx, params: { name } }) => {
      const { key, text } = found(name, await findLicense(name))
      const url = `${ctx.site.apiUrl}/licenses/${key}`
      return ok({ key, name: key, url, implementation: HOW_TO_APPLY, body: text })
    },
  }),
  route({
    ...template,
    path: '/label/templates',
    operationId: 'listLabelTemplates',
    summary: 'Names of sets of labels',
    answers: { 200: Type.Array(Type.String()) },
    handle: async () => ok(listLabelSets()),
  }),
  route({
    ...template,
    path: '/label/templates/:name',
    operationId: 'getLabelTemplateInfo',
    summary: 'A set of labels',
    params: NamePath,
    answers: { 200: Type.Array(LabelTemplate) },
    handle: async ({ params: { name } }) => ok([...found(name, findLabelSet(name))]),
  }),
]

function found<T>(name: string, template: T | undefined): T {
  if (template === undefined) throw notFound('template', name)
  return template
}
