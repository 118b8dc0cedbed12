/**
 * Pages of a repository show exactly what the visitor may do: no link leads to a refusal, and a form or a link to one is
 * shown if and only if the operation behind it is allowed.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { web } from '../../../src/web/index.ts'
import { CONTROLS, type Control } from './controls.ts'
import { addressesOf, type Kind, PEOPLE, type Person, type Place, Scene } from './scene.ts'

const forge = await startForge({ checksAnswers: false })
after(() => forge[Symbol.asyncDispose]())
const scene = await Scene.make(forge)

const REFUSED = new Set([401, 403, 404, 405, 423])
/** Downloads, which are no pages. */
const BESIDE = /\/(?:archive|raw|media)\/|\.(?:diff|patch)$/
const NAMES: Readonly<Record<Kind, string>> = {
  open: 'a public repository',
  shut: 'a private repository',
  old: 'an archived repository',
  copy: 'a mirror',
}

type Browser = ReturnType<typeof forge.browser>
interface Sheet {
  readonly status: number
  readonly text: string
}

let words = 0

test('every page of a repository is covered', () => {
  const paths = web.pages.map(({ path }) => path).filter((path) => path.startsWith('/:owner/:repo'))
  const addresses = addressesOf(placeOf('shut')).map((it) => it.split('?', 1)[0] ?? '')
  const missing = paths.filter((path) => !addresses.some((it) => patternOf(path).test(it)))
  assert.deepEqual(missing, [])
})

for (const person of PEOPLE)
  for (const kind of person.looksAt)
    test(`${person.name}, in ${NAMES[kind]}`, async (t) => {
      const place = placeOf(kind)
      const browser = person.login === null ? forge.browser() : await forge.browserOf(person.login)
      const sheets = await lookAt(browser, addressesOf(place))
      const followed = await follow(browser, place, sheets)
      const compared = await compareControls(person, kind, sheets)
      const findings = [...followed.findings, ...compared]
      const cells = sheets.size + followed.count + CONTROLS.length
      t.diagnostic(
        `${sheets.size} pages, ${followed.count} links, ${CONTROLS.length} controls: ${cells} cells, ${findings.length} findings`,
      )
      assert.deepEqual(findings, [])
    })

function placeOf(kind: Kind): Place {
  const place = scene.places.get(kind)
  assert.ok(place !== undefined)
  return place
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\*\w+/g, '.+').replaceAll(/:\w+/g, '[^/]+')}$`)
}

async function lookAt(browser: Browser, addresses: readonly string[]): Promise<Map<string, Sheet>> {
  const sheets = new Map<string, Sheet>()
  for (const address of addresses) {
    const { status, text } = await browser.get(address)
    assert.ok(status < 500, `${address}: ${status}`)
    sheets.set(address, { status, text })
  }
  return sheets
}

/** Every link into the repository, from the first page that has it. */
async function follow(
  browser: Browser,
  place: Place,
  sheets: ReadonlyMap<string, Sheet>,
): Promise<{ readonly count: number; readonly findings: string[] }> {
  const seen = new Set<string>()
  const findings: string[] = []
  for (const [from, { status, text }] of sheets) {
    // Targets of a feed may be gone by now.
    if (status !== 200 || from.endsWith('/activity')) continue
    for (const to of linksIn(text, place)) {
      if (seen.has(to)) continue
      seen.add(to)
      const known = sheets.get(to)?.status ?? (await browser.get(to)).status
      if (known === 403 || known === 404) findings.push(`${from} leads to ${to}: ${known}`)
    }
  }
  return { count: seen.size, findings }
}

/** Queries belong to the same page, except those of a wiki or a workflow. */
function linksIn(text: string, { path }: Place): Set<string> {
  const found = [...text.matchAll(/href="([^"#]*)[^"]*"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'))
  const own = found.filter((to) => new RegExp(`^/${path}(?=[/?.]|$)`).test(to))
  const short = own.map((to) => (/[?&](?:action|workflow)=/.test(to) ? to : (to.split('?', 1)[0] ?? '')))
  return new Set(short.filter((to) => !BESIDE.test(to)))
}

async function compareControls(
  { login }: Person,
  kind: Kind,
  sheets: ReadonlyMap<string, Sheet>,
): Promise<string[]> {
  const place = placeOf(kind)
  const findings: string[] = []
  const answers = new Map<Control['ask'], number>()
  for (const { name, page, mark, isLink, ask } of CONTROLS) {
    const sheet = sheets.get(`/${place.path}${page(place)}`)
    assert.ok(sheet !== undefined, `${page(place)} is not looked at`)
    const isShown = sheet.status === 200 && sheet.text.includes(mark(place))
    // Several controls share one operation.
    const status = answers.get(ask) ?? (await ask({ scene, place, login, word: `word-${words++}` }))
    answers.set(ask, status)
    const isAllowed = !REFUSED.has(status)
    if (isShown === isAllowed) continue
    // An anonymous visitor is redirected to sign in where a link leads.
    if (isShown ? login === null && isLink : isLeftOut(kind, page(place), sheet)) continue
    findings.push(`${name}: ${isShown ? 'shown' : 'not shown'}, and answered with ${status}`)
  }
  return findings
}

/** Allowed operations that pages do not offer. */
function isLeftOut(kind: Kind, page: string, { status }: Sheet): boolean {
  // Compat: some operations still work in an archived repository.
  if (kind === 'old') return true
  // Compat: pull requests are read with the code alone, but take comments and labels as issues do.
  return (status === 403 && page.startsWith('/pulls/')) || (status === 404 && page === '/pulls')
}
