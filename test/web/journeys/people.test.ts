/** A colleague is invited and joins; an administrator operates the forge; in every mode, over nodes that are killed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../../src/cli/demo/forge.ts'
import { JourneyForge } from './forge.ts'
import { WAYS } from './hand.ts'

const forge = await JourneyForge.start()
const { admin, adminPassword } = forge.seeded

for (const way of WAYS)
  test(`a colleague is invited to a team and joins, ${way}`, async () => {
    const slug = way.replaceAll(' ', '-')
    const [login, org, guestLogin] = [`owner-${slug}`, `org-${slug}`, `guest-${slug}`]
    await forge.seeded.person(login)
    await forge.seeded.call(login, 'POST', '/orgs', { username: org })
    await using owner = await forge.hand(way)
    await owner.signIn(login, PASSWORD)
    await owner.open(`/${org}`)
    await owner.follow(/Teams/)
    await owner.follow('New team')
    await owner.write('Name', 'strikers')
    await owner.press('Create team')
    await owner.write('Email address', `come-${slug}@mail.test`)
    await owner.press('Invite')
    const link = new URL(await owner.secret()).pathname
    if (way === 'without scripts') forge.kill()
    await using guest = await forge.hand(way)
    await guest.open(link)
    await guest.sees(`${login} invited you to the team strikers of ${org}.`)
    await guest.follow('Create an account')
    await guest.write('Username', guestLogin)
    await guest.write('Password', 'long enough')
    await guest.press('Create account')
    await guest.page.waitForURL((url) => url.pathname === '/')
    const members: { login: string }[] = await forge.seeded.call(login, 'GET', `/orgs/${org}/members`)
    assert.ok(members.some((member) => member.login === guestLogin))
  })

for (const way of WAYS)
  test(`an administrator checks health, creates a user and disables their sign-in, and reads settings, ${way}`, async () => {
    await using hand = await forge.hand(way)
    await hand.signIn(admin, adminPassword)
    await hand.open('/-/admin')
    await hand.press('Check now')
    await hand.sees('all checks passed')
    await hand.follow('Users')
    await hand.follow('New user')
    const made = `made-${way.replaceAll(' ', '-')}`
    await hand.write('Username', made)
    await hand.write('Email address', `${made}@mail.test`)
    await hand.write('Password', 'given to you')
    await hand.press('Create user')
    await hand.seesHeading(made)
    if (way === 'with scripts') forge.kill()
    await hand.press('Disable sign-in')
    await hand.find('button', 'Enable sign-in').waitFor()
    const user = await forge.seeded.call(admin, 'GET', `/users/${made}`)
    assert.equal(user.prohibit_login, true)
    await hand.follow('Configuration')
    await hand.sees('registration.mode')
  })
