/** SSH and GPG keys of the user. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { GPGKey, PublicKey } from '../../../gen/contract.ts'
import { box, empty, icon, pill, time } from '../../../parts/basics.ts'
import { area, button, check, field, form, formButton, hidden, written } from '../../../parts/forms.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/own-settings.ts'

const LIMIT = 30

const keysPage = page({
  path: '/user/settings/keys',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, ssh, gpg, token] = await Promise.all([
      userScope.open(visit, 'keys'),
      visit.list('userCurrentListKeys', { page: pageNumber(visit), limit: LIMIT }),
      visit.list('userCurrentListGPGKeys', { limit: 50 }),
      visit.ask('getVerificationToken', {}),
    ])
    return { frame, ssh, gpg: gpg.items, token }
  },
  show: ({ frame, ssh, gpg, token }, visit) =>
    frame({
      title: words.keys,
      body: html`<h1>${words.keys}</h1>${box(words.ssh, html`${ssh.total === 0 ? empty(words.noSsh) : html`<ul class="rows dense">${ssh.items.map((key) => sshRow(visit, key))}</ul>`}${sshForm(visit)}`)}${pager(visit, ssh.total, LIMIT)}${box(words.gpg, html`${gpg.length === 0 ? empty(words.noGpg) : html`<ul class="rows dense">${gpg.map((key) => gpgRow(visit, key))}</ul>`}${gpgForm(visit, token)}`)}`,
    }),
  forms: {
    'add-ssh': {
      does: ['userCurrentPostKey'],
      isDangerous: true,
      handle: async ({ ask, fields, path }) => {
        await ask(
          'userCurrentPostKey',
          {},
          {
            title: fields.required('title'),
            key: fields.required('key').trim(),
            read_only: fields.flag('read_only'),
          },
        )
        return path
      },
    },
    'drop-ssh': {
      does: ['userCurrentDeleteKey'],
      handle: async ({ ask, fields, path }) => {
        await ask('userCurrentDeleteKey', { id: fields.number('id') ?? 0 })
        return path
      },
    },
    'add-gpg': {
      does: ['userCurrentPostGPGKey'],
      isDangerous: true,
      handle: async ({ ask, fields, path }) => {
        const signature = fields.maybe('armored_signature')
        await ask(
          'userCurrentPostGPGKey',
          {},
          {
            armored_public_key: fields.required('armored_public_key'),
            ...(signature !== undefined && { armored_signature: signature }),
          },
        )
        return path
      },
    },
    'verify-gpg': {
      does: ['userVerifyGPGKey'],
      isDangerous: true,
      handle: async ({ ask, fields, path }) => {
        const proof = { key_id: fields.required('key_id'), armored_signature: fields.required('signature') }
        await ask('userVerifyGPGKey', {}, proof)
        return path
      },
    },
    'drop-gpg': {
      does: ['userCurrentDeleteGPGKey'],
      handle: async ({ ask, fields, path }) => {
        await ask('userCurrentDeleteGPGKey', { id: fields.number('id') ?? 0 })
        return path
      },
    },
  },
})

function sshRow(
  visit: PageVisit,
  { id, title, fingerprint, last_used_at, created_at, read_only }: PublicKey,
): Html {
  const now = visit.ctx.now()
  const isUsed = last_used_at > created_at
  return html`<li class="row">${icon('key')}<div class="grow"><strong>${title}</strong><p class="row-facts"><span class="mono">${fingerprint}</span><span>${words.made} ${time(created_at, now)}</span><span>${isUsed ? html`${words.used} ${time(last_used_at, now)}` : words.never}</span></p></div>${read_only && pill(words.readOnly)}${formButton(visit, 'drop-ssh', words.remove, { id }, { tone: 'danger', label: `${words.remove}: ${title}` })}</li>`
}

function sshForm(visit: PageVisit): Html {
  return form(
    visit,
    'add-ssh',
    html`${field({ name: 'title', label: words.sshTitle, value: written(visit, 'add-ssh', 'title'), isRequired: true })}${area({ name: 'key', label: words.sshKey, help: words.sshKeyHelp, value: written(visit, 'add-ssh', 'key'), rows: 3, isCode: true, isRequired: true })}${check({ name: 'read_only', label: words.sshReadOnly })}${button(words.sshAdd, { tone: 'primary' })}`,
  )
}

function gpgRow(visit: PageVisit, { id, key_id, emails, verified }: GPGKey): Html {
  const proof = form(
    visit,
    'verify-gpg',
    html`${hidden('key_id', key_id)}${area({ id: `signature-${id}`, name: 'signature', label: words.gpgSignature, rows: 4, isCode: true, isRequired: true })}${button(words.gpgVerify)}`,
  )
  return html`<li class="row top">${icon('key')}<div class="grow"><code>${key_id}</code> ${emails.map((it) => it.email).join(', ')} ${verified && pill(words.verified, 'good', 'check')}${!verified && html`<details><summary>${words.gpgVerify}</summary>${proof}</details>`}</div>${formButton(visit, 'drop-gpg', words.remove, { id }, { tone: 'danger', label: `${words.remove}: ${key_id}` })}</li>`
}

function gpgForm(visit: PageVisit, token: string): Html {
  return form(
    visit,
    'add-gpg',
    html`${area({ name: 'armored_public_key', label: words.gpgKey, help: words.gpgKeyHelp, value: written(visit, 'add-gpg', 'armored_public_key'), rows: 4, isCode: true, isRequired: true, maxLength: 131_072 })}<details><summary>${words.gpgSignature}</summary><p>${words.gpgToken}</p><pre class="secret">echo "${token}" | gpg -a --detach-sig</pre>${area({ name: 'armored_signature', label: words.gpgSignature, help: words.gpgSignatureHelp, rows: 4, isCode: true, maxLength: 16_384 })}</details>${button(words.gpgAdd, { tone: 'primary' })}`,
  )
}

export const keyPages: readonly Page[] = [keysPage]
