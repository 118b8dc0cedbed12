/** Signing in with each factor, in every mode; a node killed between two steps loses none of them. */
import { test } from 'node:test'
import { generate } from 'otplib'
import { PASSWORD } from '../../../src/cli/demo/forge.ts'
import { openChromium } from '../chromium.ts'
import { JourneyForge } from './forge.ts'
import { type Hand, WAYS } from './hand.ts'

// Only the whole browser has passkeys.
const forge = await JourneyForge.start(openChromium)
/** A code is valid once; the next one is accepted a step early. */
const STEP_S = 30

/** By the clock of the nodes, which is this machine's. */
const nowS = () => Math.floor((performance.timeOrigin + performance.now()) / 1000)

for (const way of WAYS)
  test(`a second factor is set up, used, and replaced by a recovery code, ${way}`, async () => {
    const login = `two-${way.replaceAll(' ', '-')}`
    await forge.seeded.person(login)
    await using hand = await forge.hand(way)
    await hand.signIn(login, PASSWORD)
    await hand.open('/user/settings/security')
    await hand.press('Set up authenticator app')
    const secret = await hand.secret()
    const code = (aheadS: number) => generate({ secret, epoch: nowS() + aheadS })
    await hand.write('Code', await code(0))
    await hand.press('Confirm')
    await hand.seesHeading('Recovery codes')
    const [recovery = ''] = (await hand.secret()).split('\n')
    for (const next of [() => code(STEP_S), async () => recovery]) {
      await hand.window.clearCookies()
      await hand.open('/user/login')
      await hand.write('Username or email address', login)
      await hand.write('Password', PASSWORD)
      await hand.press('Sign in')
      await hand.isAt(/two_factor/)
      const given = await next()
      // The node that got the password is gone; another one requests the code.
      if (way === 'without scripts' && given === recovery) forge.kill()
      await hand.write('Code from your authenticator app, or a recovery code', given)
      await hand.press('Continue')
      await hand.page.waitForURL((url) => url.pathname === '/')
      await hand.open('/user/settings/security')
      await hand.seesHeading('Security')
    }
  })

for (const way of ['with scripts', 'by keyboard alone'] as const)
  test(`a passkey is registered, and signs in without a password, ${way}`, async () => {
    const login = `key-${way.replaceAll(' ', '-')}`
    await forge.seeded.person(login)
    await using hand = await forge.hand(way)
    const device = await addAuthenticator(hand)
    await hand.signIn(login, PASSWORD)
    await hand.open('/user/settings/security')
    await hand.write('Passkey name', 'my phone')
    await hand.press('Add a passkey')
    await hand.press('Create passkey')
    await hand.sees('my phone')
    await hand.window.clearCookies()
    // Browsers offer a passkey on the sign-in page; here the user ignores the offer.
    await device.say('nothing')
    await hand.open('/user/login')
    await hand.press('Sign in with a passkey')
    await hand.seesButton('Use passkey')
    // The node that issued the challenge is killed before the answer.
    if (way === 'with scripts') forge.kill()
    await device.say('yes')
    await hand.press('Use passkey')
    await hand.page.waitForURL((url) => url.pathname === '/')
    await hand.open('/user/settings/security')
    await hand.sees('last used')
    // Now the user accepts: any key shows the page that a user is present.
    await hand.window.clearCookies()
    await hand.open('/user/login')
    await hand.page.keyboard.press('Shift')
    await hand.page.waitForURL((url) => url.pathname === '/')
  })

/** A virtual authenticator with user verification. */
async function addAuthenticator(hand: Hand): Promise<{ say(what: 'yes' | 'nothing'): Promise<void> }> {
  const devices = await hand.window.newCDPSession(hand.page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  return {
    async say(what) {
      const enabled = what === 'yes'
      await devices.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
