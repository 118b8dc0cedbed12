/** Profile, appearance and notification settings. */
import { html, languageOf, type Page, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { avatar, box } from '../../../parts/basics.ts'
import {
  area,
  button,
  check,
  field,
  form,
  formButton,
  hidden,
  select,
  written,
} from '../../../parts/forms.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { LANGUAGES } from '../../../words/languages.ts'
import { ownWords as words } from '../../../words/own-settings.ts'
import { site } from '../../../words/site.ts'

const PICTURE_BYTES_MAX = 1_048_576

const profilePage = page({
  path: '/user/settings',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, settings, user] = await Promise.all([
      userScope.open(visit, 'profile'),
      visit.ask('getUserSettings', {}),
      visit.ask('userGetCurrent', {}),
    ])
    return { frame, settings, user }
  },
  show: ({ frame, settings, user }, visit) => {
    const kept = (name: string, value: string) => written(visit, 'profile', name, value)
    return frame({
      title: words.profile,
      body: html`<h1>${words.profile}</h1>${form(
        visit,
        'profile',
        html`${field({ name: 'full_name', label: words.fullName, value: kept('full_name', settings.full_name), autocomplete: 'name', maxLength: 100 })}
${area({ name: 'description', label: words.description, value: kept('description', settings.description), rows: 3, maxLength: 255 })}
<div class="pairs">${field({ name: 'location', label: words.location, value: kept('location', settings.location), maxLength: 50 })}${field({ name: 'website', label: words.website, type: 'url', value: kept('website', settings.website), maxLength: 255 })}</div>
${check({ name: 'hide_email', label: words.hideEmail, help: words.hideEmailHelp, isChecked: settings.hide_email })}${check({ name: 'hide_activity', label: words.hideActivity, isChecked: settings.hide_activity })}${button(words.save, { tone: 'primary' })}`,
      )}<hr>${box(
        words.picture,
        html`<div class="box-text">${avatar(user, 96)}</div>${form(visit, 'picture', html`${field({ name: 'picture', label: words.picture, type: 'file', isRequired: true })}${button(words.upload)}`, { hasFiles: true, class: 'row-form' })}`,
        formButton(visit, 'drop-picture', words.removePicture, {}, { tone: 'quiet' }),
      )}`,
    })
  },
  forms: {
    profile: {
      does: ['updateUserSettings'],
      handle: async ({ ask, fields, path }) => {
        await ask(
          'updateUserSettings',
          {},
          {
            full_name: fields.text('full_name'),
            description: fields.text('description'),
            location: fields.text('location'),
            website: fields.text('website').trim(),
            hide_email: fields.flag('hide_email'),
            hide_activity: fields.flag('hide_activity'),
          },
        )
        return path
      },
    },
    picture: {
      does: ['userUpdateAvatar'],
      handle: async ({ ask, fields, path }) => {
        const [file] = fields.files('picture')
        if (file === undefined || file.bytes.length > PICTURE_BYTES_MAX) throw invalid(words.pictureTooLarge)
        await ask('userUpdateAvatar', {}, { image: file.bytes.toString('base64') })
        return path
      },
    },
    'drop-picture': {
      does: ['userDeleteAvatar'],
      handle: async ({ ask, path }) => {
        await ask('userDeleteAvatar', {})
        return path
      },
    },
  },
})

const appearancePage = page({
  path: '/user/settings/appearance',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, settings] = await Promise.all([
      userScope.open(visit, 'appearance'),
      visit.ask('getUserSettings', {}),
    ])
    return { frame, settings }
  },
  show: ({ frame, settings }, visit) => {
    const theme = visit.cookie('theme') || 'auto'
    return frame({
      title: words.appearance,
      body: html`<h1>${words.appearance}</h1>${form(
        visit,
        'theme',
        html`${hidden('to', visit.path)}<fieldset><legend>${words.theme}</legend><p class="help">${words.themeHelp}</p>${Object.entries(
          site.themes,
        ).map(([value, label]) =>
          check({ name: 'theme', type: 'radio', value, label, isChecked: theme === value }),
        )}</fieldset>${button(words.save)}`,
        { action: '/-/theme' },
      )}<hr>${form(
        visit,
        'language',
        html`${select({ name: 'language', label: words.language, help: words.languageHelp, options: [['', words.languageOfBrowser], ...LANGUAGES.map(({ tag, name }) => [tag, name] as const)], value: languageOf(LANGUAGES, settings.language)?.tag ?? '' })}${button(words.save)}`,
      )}<hr>${form(
        visit,
        'diffs',
        html`${select({ name: 'diff_view_style', label: words.diffStyle, options: Object.entries(words.diffStyles), value: settings.diff_view_style || 'unified' })}${button(words.save)}`,
      )}`,
    })
  },
  forms: {
    language: {
      does: ['updateUserSettings'],
      handle: async ({ ask, fields, path }) => {
        await ask('updateUserSettings', {}, { language: fields.text('language') })
        return path
      },
    },
    diffs: {
      does: ['updateUserSettings'],
      handle: async ({ ask, fields, path }) => {
        await ask('updateUserSettings', {}, { diff_view_style: fields.text('diff_view_style') })
        return path
      },
    },
  },
})

const notificationsPage = page({
  path: '/user/settings/notifications',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, settings] = await Promise.all([
      userScope.open(visit, 'notifications'),
      visit.ask('getNotificationSettings', {}),
    ])
    return { frame, settings }
  },
  show: ({ frame, settings }, visit) =>
    frame({
      title: words.notifications,
      body: html`<h1>${words.notifications}</h1>${form(
        visit,
        'mail',
        html`<fieldset><legend>${words.mail}</legend>${Object.entries(words.mails).map(([value, label]) => check({ name: 'email', type: 'radio', value, label, isChecked: settings.email === value }))}</fieldset>${button(words.save, { tone: 'primary' })}`,
      )}`,
    }),
  forms: {
    mail: {
      does: ['updateNotificationSettings'],
      handle: async ({ ask, fields, path }) => {
        const email = fields.required('email') as keyof typeof words.mails
        await ask('updateNotificationSettings', {}, { email })
        return path
      },
    },
  },
})

export const profilePages: readonly Page[] = [profilePage, appearancePage, notificationsPage]
