/** Users, for administrators: search, create, edit, disable sign-in, delete, invite. */
import {
  type FormVisit,
  type Html,
  html,
  type Page,
  type PageVisit,
  page,
  type ResponseOf,
} from '#platform/page'
import { invalid } from '#platform/problem'
import type { User } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { avatar, empty, pill, time } from '../../parts/basics.ts'
import { button, check, field, form, formButton, select, written } from '../../parts/forms.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { invitationBox, invitationGiven } from '../../parts/people/invitations.ts'
import { choose, chosen, searchBar } from '../../parts/search-bar.ts'
import { passwordField } from '../../parts/sign-in/new-password.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { adminWords as words } from '../../words/admin.ts'
import { storageWords } from '../../words/storage.ts'

const LIMIT = 30
const FILTERS = {
  all: {},
  admins: { is_admin: true },
  prohibited: { is_prohibit_login: true },
  inactive: { is_active: false },
  two_factor: { is_2fa_enabled: true },
} as const

const usersPage = page({
  path: '/-/admin/users',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'users')
    const { query } = visit
    const filter = FILTERS[chosen(query, 'show', words.filterNames, 'all')]
    const [people, invitations] = await Promise.all([
      visit.list('adminSearchUsers', {
        q: query.get('q') ?? '',
        ...filter,
        page: pageNumber(visit),
        limit: LIMIT,
      }),
      visit.ask('adminListInvitations', {}),
    ])
    return { frame, people, invitations }
  },
  show: ({ frame, people: { items, total }, invitations }, visit) => {
    const { query, ctx } = visit
    const filter = chosen(query, 'show', words.filterNames, 'all')
    return frame({
      title: words.users,
      body: html`<div class="pane-head"><h1>${words.users}</h1><a class="button primary" href="${links.adminOf('users', 'new')}" data-key="c">${words.newUser}</a></div>${searchBar({ label: words.search, value: query.get('q') ?? '', more: choose('show', words.filters, words.filterNames, filter) })}${
        total === 0
          ? empty(words.nobody)
          : html`<div class="box"><ul class="rows dense">${items.map((user) => userRow(visit, user))}</ul></div>${pager(visit, total, LIMIT)}`
      }${ctx.config['registration.mode'] === 'closed' && html`<p class="flash warn">${words.inviteClosed}</p>`}${invitationBox(visit, invitations)}`,
    })
  },
  forms: {
    invite: {
      does: ['adminInvite'],
      handle: async ({ ask, fields, path }) => {
        const link = await ask('adminInvite', {}, { email: fields.required('email').trim() })
        return invitationGiven(link, path)
      },
    },
    revoke: {
      does: ['adminRevokeInvitation'],
      handle: async ({ ask, fields, path }) => {
        await ask('adminRevokeInvitation', {}, { id: fields.number('id') ?? 0 })
        return path
      },
    },
  },
})

function userRow(visit: PageVisit, user: User): Html {
  const { login, full_name, email, last_login, is_admin, prohibit_login, active } = user
  return html`<li class="row">${avatar(user, 32)}<div class="grow"><a class="title" href="${links.adminOf('users', login)}">${login}</a> ${full_name}<p class="row-facts"><span>${email}</span><span>${last_login === null ? words.never : html`${words.lastLogin} ${time(last_login, visit.ctx.now())}`}</span></p></div>${is_admin && pill(words.isAdmin, 'done', 'shield')}${prohibit_login && pill(words.isProhibited, 'bad')}${!active && pill(words.isInactive, 'warn')}</li>`
}

const newUserPage = page({
  path: '/-/admin/users/new',
  requiresSignIn: true,
  load: async (visit) => ({ frame: await adminScope.open(visit, 'users') }),
  show: ({ frame }, visit) => {
    const kept = (name: string) => written(visit, 'create', name)
    return frame({
      title: words.newUser,
      body: html`<h1>${words.newUser}</h1>${form(
        visit,
        'create',
        html`${field({ name: 'username', label: words.username, value: kept('username'), isRequired: true, isFocused: visit.failed === null, autocomplete: 'username', maxLength: 40 })}${field({ name: 'email', label: words.email, type: 'email', value: kept('email'), isRequired: true, autocomplete: 'off' })}${passwordField(visit, { label: words.password, isRequired: true })}${check({ name: 'must_change_password', label: words.mustChange, isChecked: true })}${check({ name: 'restricted', label: words.restricted })}${button(words.create, { tone: 'primary' })}`,
      )}`,
    })
  },
  forms: {
    create: {
      does: ['adminCreateUser'],
      handle: async ({ ask, fields }) => {
        const { login } = await ask(
          'adminCreateUser',
          {},
          {
            username: fields.required('username').trim(),
            email: fields.required('email').trim(),
            password: fields.text('password'),
            must_change_password: fields.flag('must_change_password'),
            restricted: fields.flag('restricted'),
          },
        )
        return links.adminOf('users', login)
      },
    },
  },
})

type UserVisit = FormVisit<{ readonly username: string }>

const userPage = page({
  path: '/-/admin/users/:username',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'users')
    const [user, facts] = await Promise.all([
      visit.ask('userGet', visit.params),
      visit.ask('adminGetUserLimits', visit.params),
    ])
    return { frame, user, facts }
  },
  show: ({ frame, user, facts }, visit) =>
    frame({
      title: user.login,
      body: html`<div class="pane-head">${avatar(user, 32)}<h1><a href="${links.account(user.login)}">${user.login}</a></h1><a class="button" href="${links.adminOf('storage', user.login)}">${storageWords.title}</a>${formButton(visit, 'prohibit', user.prohibit_login ? words.allowSignIn : words.prohibitSignIn, { prohibited: user.prohibit_login ? 'false' : 'true' }, user.prohibit_login ? {} : { tone: 'danger' })}</div>${editForm(visit, user, facts)}${dangerBox(visit, user)}`,
    }),
  forms: {
    edit: { does: ['adminEditUser'], isDangerous: true, handle: editUser },
    prohibit: {
      does: ['adminEditUser'],
      handle: async ({ ask, params, fields, path }) => {
        await ask('adminEditUser', params, { prohibit_login: fields.flag('prohibited') })
        return path
      },
    },
    rename: {
      does: ['adminRenameUser'],
      isDangerous: true,
      handle: async ({ ask, params, fields }) => {
        const new_username = fields.required('new_username').trim()
        await ask('adminRenameUser', params, { new_username })
        return links.adminOf('users', new_username)
      },
    },
    'end-access': {
      does: ['adminEndUserSessions'],
      isDangerous: true,
      handle: async ({ ask, params, path }) => {
        await ask('adminEndUserSessions', params)
        return path
      },
    },
    delete: {
      does: ['adminDeleteUser'],
      isDangerous: true,
      handle: async ({ ask, params, fields }) => {
        if (fields.text('confirm').trim() !== params.username) throw invalid(words.nameDiffers)
        await ask('adminDeleteUser', { ...params, purge: fields.flag('purge') })
        return links.adminOf('users')
      },
    },
  },
})

async function editUser({ ask, params, fields, path }: UserVisit): Promise<string> {
  const password = fields.maybe('password')
  await ask('adminEditUser', params, {
    full_name: fields.text('full_name'),
    email: fields.required('email').trim(),
    visibility: fields.text('visibility') as User['visibility'],
    admin: fields.flag('admin'),
    active: fields.flag('active'),
    restricted: fields.flag('restricted'),
    allow_create_organization: fields.flag('allow_create_organization'),
    max_repo_creation: fields.number('max_repo_creation') ?? -1,
    ...(password !== undefined && { password, must_change_password: fields.flag('must_change_password') }),
  })
  return path
}

function editForm(
  visit: PageVisit,
  user: User,
  { mayOrganize, repositoriesMax }: ResponseOf<'adminGetUserLimits'>,
): Html {
  const kept = (name: string, value: string) => written(visit, 'edit', name, value)
  return form(
    visit,
    'edit',
    html`<div class="pairs">${field({ name: 'full_name', label: words.fullName, value: kept('full_name', user.full_name) })}${field({ name: 'email', label: words.email, type: 'email', value: kept('email', user.email), isRequired: true, autocomplete: 'off' })}
<input type="text" name="username" value="${user.login}" autocomplete="username" hidden>${passwordField(visit, { label: words.password, help: words.passwordHelp })}${select({ name: 'visibility', label: words.visibility, options: Object.entries(words.visibilities), value: user.visibility })}
${field({ name: 'max_repo_creation', label: words.repositoriesMax, help: words.repositoriesMaxHelp, type: 'number', value: kept('max_repo_creation', String(repositoriesMax)) })}</div>
${check({ name: 'must_change_password', label: words.mustChange, isChecked: true })}${check({ name: 'admin', label: words.admin, isChecked: user.is_admin })}${check({ name: 'active', label: words.active, isChecked: user.active })}${check({ name: 'restricted', label: words.restricted, isChecked: user.restricted })}${check({ name: 'allow_create_organization', label: words.mayOrganize, isChecked: mayOrganize })}${button(words.save, { tone: 'primary' })}`,
  )
}

function dangerBox(visit: PageVisit, { login }: User): Html {
  return html`<hr><section class="box danger" aria-labelledby="danger"><header class="box-head"><h2 id="danger">${words.danger}</h2></header><ul class="rows"><li class="row top"><p class="grow row-text">${words.endAccessHelp}</p>${formButton(visit, 'end-access', words.endAccess, {}, { tone: 'danger' })}</li><li class="row top"><div class="grow"><details><summary>${words.rename}</summary>${form(visit, 'rename', html`${field({ name: 'new_username', label: words.newName, isRequired: true, maxLength: 40, autocomplete: 'off' })}${button(words.rename, { tone: 'danger' })}`)}</details></div></li>
<li class="row top"><div class="grow"><p class="row-text">${words.deleteHelp}</p><details><summary>${words.deleteUser}</summary>${form(visit, 'delete', html`${field({ name: 'confirm', label: words.typeName(login), isRequired: true, autocomplete: 'off' })}${check({ name: 'purge', label: words.purge })}${button(words.deleteUser, { tone: 'danger' })}`)}</details></div></li></ul></section>`
}

export const userPages: readonly Page[] = [usersPage, newUserPage, userPage]
