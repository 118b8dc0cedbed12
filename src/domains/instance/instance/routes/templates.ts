/** REST routes of gitignores, licences and label sets for new repositories. */
import { Type } from 'typebox'
import {
  findGitignore,
  findLabelSet,
  findLicense,
  listGitignores,
  listLabelSets,
  listLicenses,
} from '#domains/instance/templates'
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
    implementation: Type.String({ description: 'how to apply the license' }),
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
    summary: 'List gitignore templates',
    answers: { 200: Type.Array(Type.String()) },
    handle: async () => ok(await listGitignores()),
  }),
  route({
    ...template,
    path: '/gitignore/templates/:name',
    operationId: 'getGitignoreTemplateInfo',
    summary: 'Get a gitignore template',
    params: NamePath,
    answers: { 200: GitignoreTemplateInfo },
    handle: async ({ params: { name } }) => ok({ name, source: found(name, await findGitignore(name)) }),
  }),
  route({
    ...template,
    path: '/licenses',
    operationId: 'listLicenseTemplates',
    summary: 'List license templates',
    answers: { 200: Type.Array(LicensesTemplateListEntry) },
    handle: async ({ ctx }) =>
      ok(listLicenses().map((key) => ({ key, name: key, url: `${ctx.site.apiUrl}/licenses/${key}` }))),
  }),
  route({
    ...template,
    path: '/licenses/:name',
    operationId: 'getLicenseTemplateInfo',
    summary: 'Get a license template',
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
    summary: 'List label templates',
    answers: { 200: Type.Array(Type.String()) },
    handle: async () => ok(listLabelSets()),
  }),
  route({
    ...template,
    path: '/label/templates/:name',
    operationId: 'getLabelTemplateInfo',
    summary: 'Get the labels of a label template',
    params: NamePath,
    answers: { 200: Type.Array(LabelTemplate) },
    handle: async ({ params: { name } }) => ok([...found(name, findLabelSet(name))]),
  }),
]

function found<T>(name: string, template: T | undefined): T {
  if (template === undefined) throw notFound('template', name)
  return template
}
