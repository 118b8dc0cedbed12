/** The form of a webhook. */
import { type Fields, type Html, html, type PageVisit } from '#platform/page'
import type { Hook } from '../gen/contract.ts'
import { button, check, field, form, select, written } from '../parts/forms.ts'
import { hookWords as words } from '../words/settings.ts'

/** Webhook events, by their REST names. */
const EVENTS = [
  'push',
  'create',
  'delete',
  'fork',
  'issues_only',
  'issue_assign',
  'issue_label',
  'issue_milestone',
  'issue_comment',
  'pull_request_only',
  'pull_request_assign',
  'pull_request_label',
  'pull_request_milestone',
  'pull_request_comment',
  'pull_request_review',
  'pull_request_sync',
  'pull_request_review_request',
  'wiki',
  'repository',
  'release',
  'package',
  'status',
  'workflow_run',
  'workflow_job',
] as const

/** Events that a webhook record returns under another name than it accepts. */
const ANSWERED: Readonly<Record<string, string>> = {
  issues_only: 'issues',
  pull_request_only: 'pull_request',
}

export function hookForm(visit: PageVisit, name: 'create' | 'save', hook?: Hook): Html {
  const kept = (field: string, value = '') => written(visit, name, field, value)
  const asked = new Set(
    visit.failed?.form === name ? visit.failed.fields.all('events') : (hook?.events ?? ['push']),
  )
  const event = (it: string) =>
    check({
      name: 'events',
      value: it,
      label: (ANSWERED[it] ?? it).replaceAll('_', ' '),
      isChecked: asked.has(it) || asked.has(ANSWERED[it] ?? ''),
    })
  return form(
    visit,
    name,
    html`${
      hook === undefined &&
      select({
        name: 'type',
        label: words.type,
        options: Object.entries(words.types),
        value: kept('type', 'gitea'),
      })
    }${field({ name: 'url', label: words.url, type: 'url', value: kept('url', hook?.config.url), isRequired: true, maxLength: 2048, isFocused: hook === undefined && visit.failed === null })}
<div class="pairs">${select({
      name: 'content_type',
      label: words.contentType,
      options: [
        ['json', 'application/json'],
        ['form', 'application/x-www-form-urlencoded'],
      ],
      value: kept('content_type', hook?.config.content_type ?? 'json'),
    })}
${field({ name: 'secret', label: words.secret, help: words.secretHelp, autocomplete: 'off' })}
${field({ name: 'branch_filter', label: words.branchFilter, help: words.branchFilterHelp, value: kept('branch_filter', hook?.branch_filter) })}
${field({ name: 'authorization_header', label: words.authorization, help: words.authorizationHelp, autocomplete: 'off', maxLength: 2048 })}</div>
<fieldset><legend>${words.events}</legend><div class="pairs">${EVENTS.map(event)}</div></fieldset>
${check({ name: 'active', label: words.active, isChecked: hook?.active ?? true })}${button(hook === undefined ? words.create : words.save, { tone: 'primary' })}`,
  )
}

export function readHook(fields: Fields) {
  const secret = fields.maybe('secret')
  return {
    config: {
      url: fields.required('url').trim(),
      content_type: fields.text('content_type') || 'json',
      ...(secret !== undefined && { secret }),
    },
    active: fields.flag('active'),
    branch_filter: fields.text('branch_filter').trim(),
    authorization_header: fields.text('authorization_header').trim(),
    events: fields.all('events'),
  }
}
