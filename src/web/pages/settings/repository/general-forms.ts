/** Forms for details, units and merge methods of a repository. */
import { type Fields, type Html, html, type PageVisit } from '#platform/page'
import type { EditRepoOption, Repository } from '../../../gen/contract.ts'
import { button, check, field, form, select, written } from '../../../parts/forms.ts'
import { repositorySettingsWords as words } from '../../../words/repository-settings.ts'

const UNITS = Object.keys(words.unitNames) as (keyof typeof words.unitNames)[]
const STYLES = Object.keys(words.mergeStyles) as (keyof typeof words.mergeStyles)[]
const MORE = Object.keys(words.mergeMore) as (keyof typeof words.mergeMore)[]

export function factsForm(visit: PageVisit, repo: Repository): Html {
  const kept = (name: string, value: string) => written(visit, 'facts', name, value)
  return form(
    visit,
    'facts',
    html`${field({ name: 'name', label: words.name, help: words.nameHelp, value: kept('name', repo.name), isRequired: true, maxLength: 100 })}
${field({ name: 'description', label: words.description, value: kept('description', repo.description), maxLength: 2048 })}
${field({ name: 'website', label: words.website, value: kept('website', repo.website), maxLength: 1024 })}
${field({ name: 'topics', label: words.topics, help: words.topicsHelp, value: kept('topics', repo.topics.join(' ')), maxLength: 1000 })}
${field({ name: 'default_branch', label: words.defaultBranch, value: kept('default_branch', repo.default_branch) })}
${check({ name: 'template', label: words.template, isChecked: repo.template })}${button(words.save, { tone: 'primary' })}`,
  )
}

export function readFacts(fields: Fields): EditRepoOption {
  const branch = fields.maybe('default_branch')?.trim()
  return {
    name: fields.required('name').trim(),
    description: fields.text('description'),
    website: fields.text('website').trim(),
    template: fields.flag('template'),
    ...(branch !== undefined && { default_branch: branch }),
  }
}

export function unitsForm(visit: PageVisit, repo: Repository): Html {
  const { internal_tracker, external_tracker, external_wiki } = repo
  const unit = (name: keyof typeof words.unitNames) =>
    check({ name, label: words.unitNames[name], isChecked: repo[name] })
  return form(
    visit,
    'units',
    html`<div class="pairs">${UNITS.map(unit)}</div><details><summary>${words.unitNames.has_issues}</summary>${check({ name: 'enable_time_tracker', label: words.timeTracker, isChecked: internal_tracker?.enable_time_tracker ?? true })}
${check({ name: 'allow_only_contributors_to_track_time', label: words.onlyContributors, isChecked: internal_tracker?.allow_only_contributors_to_track_time ?? true })}
${check({ name: 'enable_issue_dependencies', label: words.dependencies, isChecked: internal_tracker?.enable_issue_dependencies ?? true })}
${field({ name: 'external_tracker_url', label: words.externalTracker, type: 'url', value: external_tracker?.external_tracker_url ?? '', maxLength: 1024 })}
${field({ name: 'external_wiki_url', label: words.externalWiki, type: 'url', value: external_wiki?.external_wiki_url ?? '', maxLength: 1024 })}</details>${button(words.save)}`,
  )
}

export function readUnits(fields: Fields): EditRepoOption {
  const units = Object.fromEntries(UNITS.map((name) => [name, fields.flag(name)]))
  const tracker = fields.maybe('external_tracker_url')?.trim()
  const wiki = fields.maybe('external_wiki_url')?.trim()
  return {
    ...units,
    ...(fields.flag('has_issues') &&
      (tracker === undefined
        ? {
            internal_tracker: {
              enable_time_tracker: fields.flag('enable_time_tracker'),
              allow_only_contributors_to_track_time: fields.flag('allow_only_contributors_to_track_time'),
              enable_issue_dependencies: fields.flag('enable_issue_dependencies'),
            },
          }
        : { external_tracker: { external_tracker_url: tracker } })),
    ...(fields.flag('has_wiki') && wiki !== undefined && { external_wiki: { external_wiki_url: wiki } }),
  }
}

export function mergingForm(visit: PageVisit, repo: Repository): Html {
  const style = (name: keyof typeof words.mergeStyles) =>
    check({ name, label: words.mergeStyles[name], isChecked: repo[name] })
  const more = (name: keyof typeof words.mergeMore) =>
    check({ name, label: words.mergeMore[name], isChecked: repo[name] })
  return form(
    visit,
    'merging',
    html`<div class="pairs">${STYLES.map(style)}</div>${select({ name: 'default_merge_style', label: words.defaultStyle, options: Object.entries(words.defaultStyles), value: repo.default_merge_style })}
${MORE.map(more)}${select({ name: 'default_update_style', label: words.defaultUpdate, options: Object.entries(words.updateStyles), value: repo.default_update_style })}${button(words.save)}`,
  )
}

export function readMerging(fields: Fields): EditRepoOption {
  const flags = Object.fromEntries([...STYLES, ...MORE].map((name) => [name, fields.flag(name)]))
  return {
    ...flags,
    has_pull_requests: true,
    default_merge_style: fields.text('default_merge_style'),
    default_update_style: fields.text('default_update_style') || 'merge',
  }
}
