/** The limits of a new access token: the part of its form, what the form means, and how a token shows them. */
import { type FormVisit, type Html, html, type PageVisit, type Piece } from '#platform/page'
import { invalid } from '#platform/problem'
import type { AccessToken } from '../../../gen/contract.ts'
import { time } from '../../../parts/basics.ts'
import { area, check, field, select, written } from '../../../parts/forms.ts'
import { peopleWords } from '../../../words/people.ts'
import { tokenWords as words } from '../../../words/tokens.ts'

const LINES_MAX = 100

/** Functions, because texts follow the language of the page. */
const units = () => Object.entries(peopleWords.unit).filter(([unit]) => !unit.startsWith('repo.ext_'))
const levels = () =>
  [
    ['', words.unitLevels['']],
    ['read', words.unitLevels.read],
    ['write', words.unitLevels.write],
  ] as const

export function limitFields(visit: PageVisit): Html {
  const value = (name: string) => written(visit, 'token', name)
  const lines = (name: string, label: string, help: string) =>
    area({ name, label, help, rows: 2, isCode: true, value: value(name) })
  const unit = ([name, label]: [string, string]) =>
    select({ name: `unit.${name}`, label, options: levels(), value: value(`unit.${name}`) })
  return html`<details><summary>${words.limits}</summary><p class="help">${words.limitsHelp}</p>${lines('repositories', words.repositories, words.repositoriesHelp)}${lines('owners', words.owners, words.ownersHelp)}<fieldset><legend>${words.units}</legend>${check({ name: 'only_units', label: words.onlyUnits, isChecked: value('only_units') !== '' })}<div class="pairs">${units().map(unit)}</div></fieldset>${lines('refs', words.refs, words.refsHelp)}${lines('addresses', words.addresses, words.addressesHelp)}${field({ name: 'ends', label: words.ends, type: 'date', help: words.endsHelp, value: value('ends') })}</details>`
}

/** The body of the operation. Names become ids here: the token keeps the repository, whatever it is called later. */
export async function readLimits({ maybe, fields }: FormVisit) {
  const lines = (name: string) =>
    fields
      .text(name)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(0, LINES_MAX)
  const [names, logins, refs, addresses] = [
    lines('repositories'),
    lines('owners'),
    lines('refs'),
    lines('addresses'),
  ]
  const repositories = await Promise.all(
    names.map(async (name) => {
      const [owner = '', repo = ''] = name.split('/')
      return (await maybe('repoGet', { owner, repo }))?.id ?? missing(name)
    }),
  )
  const owners = await Promise.all(
    logins.map(async (username) => (await maybe('userGet', { username }))?.id ?? missing(username)),
  )
  const chosen = units().flatMap(([unit]) => {
    const level = fields.text(`unit.${unit}`)
    return level === 'read' || level === 'write' ? [[unit, level] as const] : []
  })
  const ends = fields.text('ends')
  if (ends !== '' && !/^\d{4}-\d\d-\d\d$/.test(ends)) throw invalid(words.badDay)
  return {
    ...(names.length > 0 && { repository_ids: repositories }),
    ...(logins.length > 0 && { owner_ids: owners }),
    ...(fields.flag('only_units') && { units_map: Object.fromEntries(chosen) }),
    ...(refs.length > 0 && { refs }),
    ...(addresses.length > 0 && { addresses }),
    ...(ends !== '' && { expires_at: `${ends}T23:59:59Z` }),
  }
}

function missing(name: string): never {
  throw invalid(words.missing(name))
}

export function limitFacts({ restriction, expires_at }: AccessToken, now: Date): Piece {
  const facts: Piece[] = []
  for (const { repository_ids, owner_ids } of restriction?.places ?? []) {
    if (repository_ids.length > 0) facts.push(words.only.repositories(repository_ids.length))
    if (owner_ids.length > 0) facts.push(words.only.owners(owner_ids.length))
  }
  for (const [unit, level] of Object.entries(restriction?.units_map ?? {}))
    facts.push(`${units().find(([name]) => name === unit)?.[1] ?? unit}: ${level}`)
  for (const refs of restriction?.refs ?? []) facts.push(refs.join(' '))
  for (const addresses of restriction?.addresses ?? []) facts.push(addresses.join(' '))
  if (expires_at !== undefined) facts.push(html`${words.ending} ${time(expires_at, now)}`)
  return html`${facts.map((fact) => html`<span>${fact}</span>`)}`
}
