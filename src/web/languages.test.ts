/** The language of pages: chosen by account, cookie and browser, and never mixed. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'bob']) await forge.person(login)
await forge.call('ann', 'POST', '/user/repos', { name: 'furnace', auto_init: true })

const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
const EXPLORE = '/explore/repos'

function languageOf(text: string): string | undefined {
  return /<html lang="([^"]+)"/.exec(text)?.[1]
}

test('a German browser gets German pages', async () => {
  const { text, headers } = await forge.browser().get(EXPLORE, GERMAN)
  assert.equal(languageOf(text), 'de')
  assert.equal(headers.get('content-language'), 'de')
  assert.match(headers.get('vary') ?? '', /\bAccept-Language\b/)
  assert.match(text, />Anmelden</)
  assert.match(text, /vor \d+ Sekunden|jetzt/)
  assert.doesNotMatch(text, />Sign in</)
})

for (const [header, language] of [
  ['fr;q=0.3, de;q=0.8', 'de'],
  ['ja, fr-CA;q=0.4', 'fr'],
  ['de;q=0, fr', 'fr'],
  ['*', 'en'],
  ['tlh', 'en'],
  ['DE', 'de'],
  ['de;q=9', 'en'],
  ['', 'en'],
  [`${'x,'.repeat(5_000)}de`, 'en'],
] as const) {
  test(`the header «${header.slice(0, 30)}» gives ${language}`, async () => {
    const { text } = await forge.browser().get(EXPLORE, { 'accept-language': header })
    assert.equal(languageOf(text), language)
  })
}

test('the setting of an account beats the browser, and an unknown language falls back to the browser', async () => {
  const ann = await forge.browserOf('ann')
  const SETTINGS = '/user/settings/appearance'
  assert.equal((await ann.submit(SETTINGS, 'language', { language: 'fr' })).status, 303)
  const french = await ann.get(SETTINGS, GERMAN)
  assert.equal(languageOf(french.text), 'fr')
  assert.match(french.text, /<option value="fr" selected>Français</)
  assert.equal((await forge.call('ann', 'GET', '/user/settings')).body.language, 'fr')
  for (const [language, shown] of [
    ['de-DE', 'de'],
    ['tlh', 'de'],
    ['', 'de'],
    ['en-US', 'en'],
  ] as const) {
    await forge.call('ann', 'PATCH', '/user/settings', { language })
    assert.equal(languageOf((await ann.get(SETTINGS, GERMAN)).text), shown, language)
  }
  await forge.call('ann', 'PATCH', '/user/settings', { language: '' })
})

test('anonymous users choose a language in the foot of a page', async () => {
  const stranger = forge.browser()
  const path = `${EXPLORE}?q=fur`
  assert.match((await stranger.get(path)).text, /name="language" value="de" lang="de">Deutsch</)
  const chosen = await stranger.submit('/-/language', 'language', { language: 'de', to: path })
  assert.equal(chosen.headers.get('location'), path)
  assert.equal(languageOf((await stranger.get(path, { 'accept-language': 'fr' })).text), 'de')
  await stranger.submit('/-/language', 'language', { language: 'tlh', to: path })
  assert.equal(languageOf((await stranger.get(path, { 'accept-language': 'fr' })).text), 'fr')
})

test('concurrent requests in several languages never mix', async () => {
  const WORDS = { en: 'Find a repository', de: 'Repository suchen', fr: 'Trouver un dépôt' } as const
  const tags = ['en', 'de', 'fr'] as const
  const asked = Array.from({ length: 60 }, (_, i) => tags[i % 3] ?? 'en')
  const pages = await Promise.all(
    asked.map((tag) => forge.browser().get(EXPLORE, { 'accept-language': tag })),
  )
  for (const [i, { text }] of pages.entries())
    for (const tag of tags)
      assert.equal(text.includes(WORDS[tag]), tag === asked[i], `${tag} on a page in ${asked[i]}`)
})

test('a streamed diff has the language of its request, also when it is cached', async () => {
  const file = { content: Buffer.from('iron').toString('base64'), message: 'iron', branch: 'main' }
  const made = await forge.call('ann', 'POST', '/repos/ann/furnace/contents/a.txt', file)
  const path = `/ann/furnace/commit/${made.body.commit.sha}`
  for (const [tag, text] of [
    ['de', 'kein Zeilenumbruch am Dateiende'],
    ['en', 'no newline at end of file'],
    ['fr', 'pas de fin de ligne à la fin du fichier'],
    ['de', 'kein Zeilenumbruch am Dateiende'],
  ] as const)
    assert.ok((await forge.browser().get(path, { 'accept-language': tag })).text.includes(text), tag)
})

test('error pages and refused forms speak the language', async () => {
  const stranger = forge.browser()
  for (const path of ['/ann/nothing', '/no/such/page/here'])
    assert.match((await stranger.get(path, GERMAN)).text, /<h1>[\s\S]*Seite nicht gefunden<\/h1>/, path)
  const wrong = { name: 'ann', password: 'wrong-password' }
  const refused = await stranger.submit('/user/login', 'sign-in', wrong, GERMAN)
  assert.match(refused.text, /role="alert"[^>]*>Benutzername, Passwort oder Code ist falsch\./)
  const bob = await forge.browserOf('bob')
  await bob.submit('/org/create', 'create', { username: 'guild', visibility: 'public' })
  const twice = await bob.submit('/org/create', 'create', { username: 'guild', visibility: 'public' }, GERMAN)
  assert.match(twice.text, /role="alert"[^>]*>Der Name ist bereits vergeben</)
})
