// What the tests of gitea-js share. Environment: BASE_URL, ADMIN_TOKEN, UNIQUE, PASSWORD, CLIENT (path of the client's module).
import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'

export const { BASE_URL, ADMIN_TOKEN, UNIQUE, PASSWORD, CLIENT } = process.env
const { giteaApi } = await import(pathToFileURL(CLIENT).href)

export const bounded = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
export const withToken = (token) => giteaApi(BASE_URL, { token, customFetch: bounded })
export const withPassword = (user) =>
  giteaApi(BASE_URL, {
    customFetch: (url, init) =>
      bounded(url, {
        ...init,
        headers: {
          ...init.headers,
          Authorization: `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`,
        },
      }),
  })

/** Number of failed tests. */
export let failed = 0
export async function test(name, body) {
  try {
    await body()
    console.log(`ok - ${name}`)
  } catch (error) {
    failed += 1
    console.log(`not ok - ${name}`)
    const status =
      error?.status === undefined
        ? ''
        : `status ${error.status} ${JSON.stringify(error.error ?? error.data)} `
    console.log(
      status +
        String(error?.message ?? '')
          .split('\n')
          .slice(0, 8)
          .join(' / '),
    )
  }
}

/** Asserts that the call is refused with this status. */
export async function refused(status, call) {
  await assert.rejects(call, (error) => {
    assert.equal(error.status, status)
    return true
  })
}

/** Repeats the call until the condition holds, at most ten seconds. */
export async function eventually(call, holds) {
  for (let tries = 0; ; tries += 1) {
    const answer = await call()
    if (holds(answer.data)) return answer.data
    if (tries === 40) assert.fail(`never came true: ${JSON.stringify(answer.data).slice(0, 300)}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

// Some generated methods omit the content type of their body.
export const json = { type: 'application/json' }
export const base64 = (text) => Buffer.from(text).toString('base64')
export const owner = `own${UNIQUE}`
export const guest = `gue${UNIQUE}`
export const org = `org${UNIQUE}`
export const repo = `js${UNIQUE}`
export const admin = withToken(ADMIN_TOKEN)
export const anonymous = giteaApi(BASE_URL, { customFetch: bounded })
/** Clients of the owner and of the guest, once both have tokens. */
export let me
export let other
export function signIn(ownToken, guestToken) {
  me = withToken(ownToken)
  other = withToken(guestToken)
}
