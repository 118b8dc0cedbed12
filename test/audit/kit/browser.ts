/** Browser behaviour where the specification names addresses of pages. */
import { PASSWORD } from './client.ts'

/** Signs in on the sign-in page; returns the session cookie. */
export async function signIn(base: string, user: string): Promise<string> {
  const answer = await fetch(`${base}/user/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ form: 'sign-in', user_name: user, password: PASSWORD }),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (answer.status !== 303 || cookie === undefined)
    throw new Error(`${user} cannot sign in: ${answer.status}`)
  return cookie
}
