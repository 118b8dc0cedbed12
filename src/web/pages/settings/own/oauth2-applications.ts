/** The user's own OAuth2 applications: register, edit, replace the secret, delete. */
import {
  type Fields,
  type Form,
  type FormVisit,
  type Html,
  html,
  type ItemOf,
  type PageVisit,
  page,
  type Rendered,
} from '#platform/page'
import { links } from '../../../links.ts'
import { box, icon } from '../../../parts/basics.ts'
import { area, button, check, field, form, written } from '../../../parts/forms.ts'
import { shownOnce } from '../../../parts/settings.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/own-settings.ts'

type Application = ItemOf<'userGetOauth2Application'>

/** Forms of the list. */
export const applicationForms = {
  application: {
    does: ['userCreateOAuth2Application'],
    isDangerous: true,
    handle: async (visit) => {
      const made = await visit.ask('userCreateOAuth2Application', {}, optionsOf(visit.fields))
      return showSecret(visit, made, links.settingsOf('applications'))
    },
  },
} satisfies Readonly<Record<string, Form>>

export const applicationPage = page({
  path: '/user/settings/applications/oauth2/:id',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, application] = await Promise.all([
      userScope.open(visit, 'applications'),
      visit.ask('userGetOAuth2Application', visit.params),
    ])
    return { frame, application }
  },
  show: ({ frame, application }, visit) =>
    frame({
      title: application.name,
      body: html`<h1>${application.name}</h1><p>${words.clientId}: <code>${application.client_id}</code></p>${box(
        words.oauthDetails,
        form(
          visit,
          'edit',
          html`${fieldsOf(visit, 'edit', application)}${button(words.oauthSave, { tone: 'primary' })}`,
        ),
      )}${box(
        words.oauthSecret,
        form(visit, 'secret', html`<p>${words.oauthSecretHelp}</p>${button(words.oauthSecretMake)}`),
      )}${box(
        words.oauthDelete,
        form(
          visit,
          'delete',
          html`<p>${words.oauthDeleteHelp}</p>${button(words.oauthDelete, { tone: 'danger' })}`,
        ),
      )}`,
    }),
  forms: {
    edit: {
      does: ['oauth2ChangeApplication'],
      handle: async (visit) => {
        const { skip_secondary_authorization } = await visit.ask('userGetOAuth2Application', visit.params)
        const options = { ...optionsOf(visit.fields), skip_secondary_authorization }
        await visit.ask('oauth2ChangeApplication', visit.params, options)
        return visit.path
      },
    },
    secret: {
      does: ['userUpdateOAuth2Application'],
      isDangerous: true,
      handle: async (visit) => {
        const application = await visit.ask('userGetOAuth2Application', visit.params)
        const { name, redirect_uris, confidential_client, skip_secondary_authorization } = application
        const options = { name, redirect_uris, confidential_client, skip_secondary_authorization }
        return showSecret(
          visit,
          await visit.ask('userUpdateOAuth2Application', visit.params, options),
          visit.path,
        )
      },
    },
    delete: {
      does: ['userDeleteOAuth2Application'],
      handle: async ({ ask, params }) => {
        await ask('userDeleteOAuth2Application', params)
        return links.settingsOf('applications')
      },
    },
  },
})

export function applicationRow({ id, name, client_id, redirect_uris }: Application): Html {
  return html`<li class="row">${icon('layers')}<div class="grow"><a href="${links.oauth2Application(id)}"><strong>${name}</strong></a><p class="row-facts"><span class="mono">${client_id}</span><span>${redirect_uris.join(', ')}</span></p></div></li>`
}

export function newApplicationForm(visit: PageVisit): Html {
  return html`<details class="box-text"><summary>${words.oauthMake}</summary>${form(
    visit,
    'application',
    html`${fieldsOf(visit, 'application')}${button(words.oauthMake)}`,
  )}</details>`
}

function fieldsOf(visit: PageVisit, name: string, application?: Application): Html {
  const uris = application?.redirect_uris.join('\n')
  return html`${field({ name: 'application_name', label: words.oauthName, value: written(visit, name, 'application_name', application?.name), isRequired: true })}${area({ name: 'redirect_uris', label: words.redirects, help: words.redirectsHelp, value: written(visit, name, 'redirect_uris', uris), rows: 2, isRequired: true, maxLength: 4000 })}${check({ name: 'confidential_client', label: words.confidential, help: words.confidentialHelp, isChecked: application?.confidential_client ?? true })}`
}

function optionsOf(fields: Fields) {
  return {
    name: fields.required('application_name').trim(),
    redirect_uris: fields
      .text('redirect_uris')
      .split(/\s+/)
      .filter((it) => it !== ''),
    confidential_client: fields.flag('confidential_client'),
  }
}

async function showSecret(visit: FormVisit, application: SecretShown, back: string): Promise<Rendered> {
  const frame = await userScope.open(visit, 'applications')
  const more = html`<p>${words.clientId}: <code>${application.client_id}</code></p>`
  return frame({
    title: words.oauthTitle,
    body: shownOnce(words.oauthTitle, application.client_secret, back, more),
  })
}

interface SecretShown {
  readonly client_id: string
  readonly client_secret: string
}
