/** Branch and tag protection. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { BranchProtection, TagProtection } from '../../../gen/contract.ts'
import { links, repositoryAt } from '../../../links.ts'
import { box, empty, icon } from '../../../parts/basics.ts'
import { button, field, form, formButton, hidden, written } from '../../../parts/forms.ts'
import { repositoryOf, repositoryScope } from '../../../scoped/scopes.ts'
import { repositorySettingsWords as words } from '../../../words/repository-settings.ts'
import { namesIn, readRule, ruleFields } from './rule-fields.ts'

const at = (visit: PageVisit, ...rest: string[]) => {
  const { owner, repo } = repositoryOf(visit)
  return links.of(repositoryAt({ owner, repo }), 'settings', ...rest)
}

const branchesPage = page({
  path: '/:owner/:repo/settings/branches',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await repositoryScope.open(visit, 'branches')
    return { frame, rules: await visit.ask('repoListBranchProtection', repositoryOf(visit)) }
  },
  show: ({ frame, rules }, visit) => {
    const one = ({ rule_name, required_approvals, enable_status_check }: BranchProtection) =>
      html`<li class="row">${icon('shield')}<div class="grow"><a class="title" href="${at(visit, 'branches', 'edit')}?rule_name=${encodeURIComponent(rule_name)}">${rule_name}</a>
<p class="row-facts">${required_approvals > 0 && html`<span>${words.required_approvals}: ${required_approvals}</span>`}${enable_status_check && html`<span>${words.enable_status_check}</span>`}</p></div>${formButton(visit, 'delete', words.delete, { name: rule_name }, { tone: 'danger', label: `${words.delete}: ${rule_name}` })}</li>`
    return frame({
      title: words.branches,
      body: html`<div class="pane-head"><h1>${words.branches}</h1><a class="button primary" href="${at(visit, 'branches', 'edit')}" data-key="c">${words.newRule}</a></div><p>${words.branchesHelp}</p>${
        rules.length === 0
          ? empty(words.noRules)
          : html`<div class="box"><ul class="rows dense">${rules.map(one)}</ul></div>`
      }`,
    })
  },
  forms: {
    delete: {
      does: ['repoDeleteBranchProtection'],
      isDangerous: true,
      handle: async (visit) => {
        const name = visit.fields.required('name')
        await visit.ask('repoDeleteBranchProtection', { ...repositoryOf(visit), name })
        return visit.path
      },
    },
  },
})

/** The rule is in the query, because its name may contain any character. */
const rulePage = page({
  path: '/:owner/:repo/settings/branches/edit',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await repositoryScope.open(visit, 'branches')
    const name = visit.query.get('rule_name')
    const rule =
      name === null ? undefined : await visit.ask('repoGetBranchProtection', { ...repositoryOf(visit), name })
    return { frame, rule }
  },
  show: ({ frame, rule }, visit) => {
    const title = rule === undefined ? words.newRule : words.editRule(rule.rule_name)
    const name =
      rule === undefined
        ? field({
            name: 'rule_name',
            label: words.pattern,
            help: words.patternHelp,
            value: written(visit, 'save', 'rule_name'),
            isRequired: true,
            isFocused: visit.failed === null,
          })
        : hidden('known', rule.rule_name)
    return frame({
      title,
      body: html`<h1>${title}</h1>${form(visit, 'save', html`${name}${ruleFields(visit, rule)}${button(rule === undefined ? words.createRule : words.save, { tone: 'primary' })}`)}`,
    })
  },
  forms: {
    save: {
      does: ['repoCreateBranchProtection', 'repoEditBranchProtection'],
      handle: async (visit) => {
        const { fields } = visit
        const place = repositoryOf(visit)
        const name = fields.maybe('known')
        if (name === undefined)
          await visit.ask('repoCreateBranchProtection', place, {
            rule_name: fields.required('rule_name').trim(),
            ...readRule(fields),
          })
        else await visit.ask('repoEditBranchProtection', { ...place, name }, readRule(fields))
        return at(visit, 'branches')
      },
    },
  },
})

const tagsPage = page({
  path: '/:owner/:repo/settings/tags',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await repositoryScope.open(visit, 'tags')
    return { frame, rules: await visit.ask('repoListTagProtection', repositoryOf(visit)) }
  },
  show: ({ frame, rules }, visit) =>
    frame({
      title: words.tags,
      body: html`<h1>${words.tags}</h1><p>${words.tagsHelp}</p>${
        rules.length === 0
          ? empty(words.noTags)
          : html`<div class="box"><ul class="rows dense">${rules.map((rule) => tagRow(visit, rule))}</ul></div>`
      }${box(
        words.newRule,
        form(
          visit,
          'add',
          html`${field({ name: 'name_pattern', label: words.tagPattern, help: words.tagPatternHelp, value: written(visit, 'add', 'name_pattern'), isRequired: true })}<div class="pairs">${field({ name: 'users', label: words.whitelistUsers, help: words.names, value: written(visit, 'add', 'users'), maxLength: 2000 })}${field({ name: 'teams', label: words.whitelistTeams, help: words.names, value: written(visit, 'add', 'teams'), maxLength: 2000 })}</div>${button(words.createRule, { tone: 'primary' })}`,
        ),
      )}`,
    }),
  forms: {
    add: {
      does: ['repoCreateTagProtection'],
      handle: async (visit) => {
        await visit.ask('repoCreateTagProtection', repositoryOf(visit), tagRule(visit.fields))
        return visit.path
      },
    },
    edit: {
      does: ['repoEditTagProtection'],
      handle: async (visit) => {
        const id = visit.fields.number('id') ?? 0
        await visit.ask('repoEditTagProtection', { ...repositoryOf(visit), id }, tagRule(visit.fields))
        return visit.path
      },
    },
    delete: {
      does: ['repoDeleteTagProtection'],
      isDangerous: true,
      handle: async (visit) => {
        const id = visit.fields.number('id') ?? 0
        await visit.ask('repoDeleteTagProtection', { ...repositoryOf(visit), id })
        return visit.path
      },
    },
  },
})

function tagRule(fields: { required(name: string): string; text(name: string): string }) {
  return {
    name_pattern: fields.required('name_pattern').trim(),
    whitelist_usernames: namesIn(fields.text('users')),
    whitelist_teams: namesIn(fields.text('teams')),
  }
}

function tagRow(visit: PageVisit, rule: TagProtection): Html {
  const { id, name_pattern, whitelist_usernames, whitelist_teams } = rule
  const edit = form(
    visit,
    'edit',
    html`${hidden('id', id)}${field({ id: `pattern-${id}`, name: 'name_pattern', label: words.tagPattern, value: name_pattern, isRequired: true })}<div class="pairs">${field({ id: `users-${id}`, name: 'users', label: words.whitelistUsers, value: whitelist_usernames.join(', '), maxLength: 2000 })}${field({ id: `teams-${id}`, name: 'teams', label: words.whitelistTeams, value: whitelist_teams.join(', '), maxLength: 2000 })}</div>${button(words.save)}`,
  )
  return html`<li class="row top">${icon('tag')}<div class="grow"><details><summary><code>${name_pattern}</code> <span class="quiet-text">${[...whitelist_usernames, ...whitelist_teams].join(', ')}</span></summary>${edit}</details></div>${formButton(visit, 'delete', words.delete, { id }, { tone: 'danger', label: `${words.delete}: ${name_pattern}` })}</li>`
}

export const protectionPages: readonly Page[] = [branchesPage, rulePage, tagsPage]
