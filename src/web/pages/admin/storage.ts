/** Storage of an owner, and its limits. */
import { type FormVisit, type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { links } from '../../links.ts'
import { box } from '../../parts/basics.ts'
import { button, field, form, written } from '../../parts/forms.ts'
import { type Usage, usageTable } from '../../parts/usage.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { storageWords as words } from '../../words/storage.ts'

const storagePage = page({
  path: '/-/admin/storage/:username',
  requiresSignIn: true,
  load: async (visit) => ({
    frame: await adminScope.open(visit, 'users'),
    usage: await visit.ask('adminGetUsage', visit.params),
  }),
  show: ({ frame, usage }, visit) => {
    const { username } = visit.params
    return frame({
      title: words.titleOf(username),
      body: html`<h1>${words.title}: <a href="${links.account(username)}">${username}</a></h1>${usageTable(usage)}${box(words.limits, limitsForm(visit, usage))}`,
    })
  },
  forms: { limits: { does: ['adminSetLimits'], handle: setLimits } },
})

async function setLimits(visit: FormVisit<{ readonly username: string }>): Promise<string> {
  const { ask, params, fields, path } = visit
  const limits = Object.keys(words.kinds).map((kind) => [kind, fields.number(kind)])
  await ask('adminSetLimits', params, {
    repositories: fields.number('repositories') ?? -1,
    ...Object.fromEntries(limits.filter(([, limit]) => limit !== undefined)),
  })
  return path
}

function limitsForm(visit: PageVisit, { repositories, kinds }: Usage): Html {
  const kept = (name: string, value: number | null) => written(visit, 'limits', name, String(value ?? ''))
  return form(
    visit,
    'limits',
    html`<p>${words.limitsHelp}</p><div class="pairs">${field({ name: 'repositories', label: words.repositories, help: words.repositoriesHelp, type: 'number', value: kept('repositories', repositories.ownLimit) })}${kinds.map(
      ({ kind, ownLimit }) =>
        field({ name: kind, label: words.kinds[kind], type: 'number', value: kept(kind, ownLimit) }),
    )}</div>${button(words.save, { tone: 'primary' })}`,
  )
}

export const storagePages: readonly Page[] = [storagePage]
