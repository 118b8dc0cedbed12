import type { Examples } from './example.ts'

export const signIn: Examples = {
  '/user/login': { address: () => '/user/login' },
  '/login/oauth/authorize': {
    address: () =>
      `/login/oauth/authorize?client_id=d57cb8c4-630c-4168-8324-ec79935e18d4&redirect_uri=http%3A%2F%2F127.0.0.1%3A4000%2F&response_type=code&scope=openid+profile+write%3Arepository&code_challenge_method=S256&code_challenge=${'A'.repeat(43)}`,
    as: 'ann',
  },
  '/user/login/:source': { address: () => '/user/login/directory' },
  // No provider answers at the address of the seed.
  '/user/oauth2/:source': { address: () => '/user/oauth2/provider', status: 503 },
  '/user/oauth2/:source/callback': {
    address: () => '/user/oauth2/provider/callback?code=nonsense',
    status: 422,
  },
  // With a source they redirect to its provider, or from there.
  '/user/saml/:source': { address: () => '/user/saml/unknown', status: 404 },
  '/user/saml/:source/finish': { address: () => '/user/saml/unknown/finish', status: 404 },
  '/user/confirm': { address: () => '/user/confirm', as: 'ann' },
  '/user/link_account': { address: () => '/user/link_account', status: 422 },
  '/user/two_factor': { address: () => '/user/two_factor' },
  '/user/webauthn': { address: () => '/user/webauthn' },
  '/user/settings/change_password': { address: () => '/user/settings/change_password' },
  '/user/forgot_password': { address: () => '/user/forgot_password' },
  '/user/recover_account': { address: () => '/user/recover_account?code=nonsense' },
  '/user/sign_up': { address: () => '/user/sign_up' },
  '/user/activate': { address: () => '/user/activate?code=nonsense' },
  '/user/activate_email': { address: () => '/user/activate_email?code=nonsense', as: 'ann' },
  '/user/appeal': { address: () => '/user/appeal' },
  '/user/logout': { address: () => '/user/logout', as: 'ann' },
  '/-/theme': { address: () => '/-/theme' },
  '/-/language': { address: () => '/-/language' },
  '/user/settings/security': { address: () => '/user/settings/security', as: 'ann' },
  '/:owner/:repo': { address: ({ repository }) => `/${repository}`, as: 'ann' },
}
