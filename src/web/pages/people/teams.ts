/** Teams of an organization: members, repositories and invitations. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { notFound } from '#platform/problem'
import type { Repository, Team } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { box, empty, icon, pill } from '../../parts/basics.ts'
import { button, field, form, formButton, hidden, written } from '../../parts/forms.ts'
import { inOrganization, loadOrganizationHead } from '../../parts/organization.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { invitationBox, invitationGiven } from '../../parts/people/invitations.ts'
import { peopleList } from '../../parts/people/people-list.ts'
import { repositoryList } from '../../parts/repository-list.ts'
import { withUndo } from '../../undo.ts'
import { peopleWords as words } from '../../words/people.ts'
import { readTeam, teamFields } from './team-fields.ts'

const LIMIT = 50

interface OrgPath {
  readonly org: string
}
interface TeamPath extends OrgPath {
  readonly team: string
}

const teamsPage = page({
  path: '/org/:org/teams',
  load: async (visit) => {
    const { org } = visit.params
    const head = await loadOrganizationHead(visit, org)
    const isInside = head.isMember || head.isOwner
    const teams = isInside
      ? await visit.list('orgListTeams', { org, page: pageNumber(visit), limit: LIMIT })
      : { items: [], total: 0 }
    return { head, ...teams }
  },
  show: ({ head, items, total }, visit) =>
    inOrganization(head, 'teams', {
      title: words.teams,
      body: html`<div class="pane-head"><h1>${words.teams}</h1>${
        head.isOwner &&
        html`<a class="button primary" href="${links.organization(head.org.username, 'teams', 'new')}" data-key="c">${words.newTeam}</a>`
      }</div>${
        items.length === 0
          ? empty(words.noTeams)
          : html`<div class="box"><ul class="rows dense">${items.map((team) => teamRow(head.org.username, team))}</ul></div>${pager(visit, total, LIMIT)}`
      }`,
    }),
})

function teamRow(org: string, { name, description, permission, visibility }: Team): Html {
  return html`<li class="row">${icon('shield')}<div class="grow"><a class="title" href="${links.organization(org, 'teams', name)}">${name}</a>
<p class="row-text">${description}</p></div>${visibility !== 'public' && pill(words.teamVisibility[visibility])}${pill(words.permissions[permission])}</li>`
}

const newTeamPage = page({
  path: '/org/:org/teams/new',
  requiresSignIn: true,
  load: async (visit) => ({ head: await loadOrganizationHead(visit, visit.params.org) }),
  show: ({ head }, visit) =>
    inOrganization(head, 'teams', {
      title: words.newTeam,
      body: html`<div class="settings"><h1>${words.newTeam}</h1>${form(
        visit,
        'create',
        html`${field({ name: 'name', label: words.teamName, value: written(visit, 'create', 'name'), isRequired: true, isFocused: true })}${teamFields(visit, 'create')}${button(words.createTeam, { tone: 'primary' })}`,
      )}</div>`,
    }),
  forms: {
    create: {
      does: ['orgCreateTeam'],
      handle: async ({ ask, params: { org }, fields }) => {
        const { name } = await ask(
          'orgCreateTeam',
          { org },
          { name: fields.required('name'), ...readTeam(fields) },
        )
        return links.organization(org, 'teams', name)
      },
    },
  },
})

const teamPage = page({
  path: '/org/:org/teams/:team',
  requiresSignIn: true,
  load: async (visit) => {
    const head = await loadOrganizationHead(visit, visit.params.org)
    const team = await findTeam(visit)
    const { id } = team
    const [members, repositories, invitations] = await Promise.all([
      visit.list('orgListTeamMembers', { id, page: pageNumber(visit), limit: LIMIT }),
      visit.list('orgListTeamRepos', { id, limit: LIMIT }),
      head.isOwner ? visit.ask('teamListInvitations', { id }) : [],
    ])
    return { head, team, members, repositories, invitations }
  },
  show: ({ head, team, members, repositories, invitations }, visit) => {
    const now = visit.ctx.now()
    const removal = ({ name }: Repository) => head.isOwner && removeButton(visit, name)
    return inOrganization(head, 'teams', {
      title: team.name,
      body: html`<div class="spread"><h1>${team.name}</h1>${pill(words.permissions[team.permission])}<span class="grow"></span>${
        head.isOwner &&
        html`<a class="button" href="${links.organization(head.org.username, 'teams', team.name, 'edit')}">${words.settings}</a>`
      }</div><p>${team.description}</p>${box(
        words.members,
        html`${
          members.total === 0
            ? empty(words.noMembers)
            : peopleList(members.items, now, (user) =>
                head.isOwner || user.login === visit.ctx.actor?.login
                  ? formButton(
                      visit,
                      'remove-member',
                      words.remove,
                      { username: user.login },
                      { tone: 'danger', label: `${words.remove}: ${user.login}` },
                    )
                  : '',
              )
        }${
          head.isOwner &&
          form(
            visit,
            'add-member',
            html`${field({ name: 'username', label: words.addMember, placeholder: words.username, isRequired: true, autocomplete: 'off' })}${button(words.add)}`,
            { class: 'row-form' },
          )
        }`,
      )}${pager(visit, members.total, LIMIT)}${head.isOwner && invitationBox(visit, invitations)}${box(
        words.teamRepositories,
        team.includes_all_repositories
          ? html`<p class="box-text">${words.allRepositories}</p>`
          : html`${repositories.total === 0 ? empty(words.noTeamRepositories) : repositoryList(repositories.items, now, removal)}${head.isOwner && repositoryForm(visit)}`,
      )}`,
    })
  },
  forms: {
    'add-member': {
      does: ['orgAddTeamMember'],
      handle: async (visit) => {
        const { id } = await findTeam(visit)
        await visit.ask('orgAddTeamMember', { id, username: visit.fields.required('username').trim() })
        return visit.path
      },
    },
    'remove-member': {
      does: ['orgRemoveTeamMember', 'undoKeep'],
      handle: async (visit) => {
        const { id, name: team } = await findTeam(visit)
        const login = visit.fields.required('username')
        await visit.ask('orgRemoveTeamMember', { id, username: login })
        // Users who removed themselves cannot undo it.
        if (login === visit.ctx.actor?.login) return visit.path
        return withUndo(visit, visit.path, { kind: 'member', team_id: id, team, login })
      },
    },
    'add-repository': {
      does: ['orgAddTeamRepository'],
      handle: async (visit) => {
        const { id } = await findTeam(visit)
        const { org } = visit.params
        await visit.ask('orgAddTeamRepository', { id, org, repo: visit.fields.required('repo').trim() })
        return visit.path
      },
    },
    'remove-repository': {
      does: ['orgRemoveTeamRepository'],
      handle: async (visit) => {
        const { id } = await findTeam(visit)
        const { org } = visit.params
        await visit.ask('orgRemoveTeamRepository', { id, org, repo: visit.fields.required('repo') })
        return visit.path
      },
    },
    invite: {
      does: ['teamInvite'],
      handle: async (visit) => {
        const { id } = await findTeam(visit)
        const link = await visit.ask('teamInvite', { id }, { email: visit.fields.required('email').trim() })
        return invitationGiven(link, visit.path)
      },
    },
    revoke: {
      does: ['teamRevokeInvitation'],
      handle: async (visit) => {
        const { id } = await findTeam(visit)
        await visit.ask('teamRevokeInvitation', { id }, { id: visit.fields.number('id') ?? 0 })
        return visit.path
      },
    },
  },
})

function removeButton(visit: PageVisit, repo: string): Html {
  const label = `${words.remove}: ${repo}`
  return formButton(visit, 'remove-repository', words.remove, { repo }, { tone: 'danger', label })
}

function repositoryForm(visit: PageVisit): Html {
  return form(
    visit,
    'add-repository',
    html`${field({ name: 'repo', label: words.addRepository, placeholder: words.repositoryName, isRequired: true, autocomplete: 'off' })}${button(words.add)}`,
    { class: 'row-form' },
  )
}

const editTeamPage = page({
  path: '/org/:org/teams/:team/edit',
  requiresSignIn: true,
  load: async (visit) => ({
    head: await loadOrganizationHead(visit, visit.params.org),
    team: await findTeam(visit),
  }),
  show: ({ head, team }, visit) =>
    inOrganization(head, 'teams', {
      title: team.name,
      body: html`<div class="settings"><h1>${team.name}</h1>${form(
        visit,
        'save',
        html`${field({ name: 'name', label: words.teamName, value: written(visit, 'save', 'name', team.name), isRequired: true })}${teamFields(visit, 'save', team)}${button(words.saveTeam, { tone: 'primary' })}`,
      )}${
        team.permission !== 'owner' &&
        box(
          words.deleteTeam,
          html`<p class="box-text">${words.deleteTeamHelp}</p>${form(visit, 'delete', html`${hidden('id', team.id)}${button(words.deleteTeam, { tone: 'danger' })}`)}`,
        )
      }</div>`,
    }),
  forms: {
    save: {
      does: ['orgEditTeam'],
      handle: async (visit) => {
        const { id, permission } = await findTeam(visit)
        const edit =
          permission === 'owner' ? { description: visit.fields.text('description') } : readTeam(visit.fields)
        const { name } = await visit.ask(
          'orgEditTeam',
          { id },
          { name: visit.fields.required('name'), ...edit },
        )
        return links.organization(visit.params.org, 'teams', name)
      },
    },
    delete: {
      does: ['orgDeleteTeam'],
      isDangerous: true,
      handle: async (visit) => {
        await visit.ask('orgDeleteTeam', { id: (await findTeam(visit)).id })
        return links.organization(visit.params.org, 'teams')
      },
    },
  },
})

/** Addresses contain team names, operations need ids. */
async function findTeam(visit: PageVisit<TeamPath>): Promise<Team> {
  const { org, team } = visit.params
  const { items } = await visit.list('teamSearch', { org, q: team, limit: LIMIT })
  const found = items.find(({ name }) => name.toLowerCase() === team.toLowerCase())
  if (found === undefined) throw notFound('team', team)
  return found
}

export const teamPages: readonly Page[] = [teamsPage, newTeamPage, teamPage, editTeamPage]
