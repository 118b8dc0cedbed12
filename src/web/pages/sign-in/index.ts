/** Sign-in, sign-out, registration, and the authorization of applications. */
import type { Page } from '#platform/page'
import { authorizePages } from './authorize.ts'
import { changePasswordPages } from './change-password.ts'
import { confirmPages } from './confirm.ts'
import { passkeyPages } from './passkey.ts'
import { recoverPages } from './recover.ts'
import { secondFactorPages } from './second-factor.ts'
import { passwordPages } from './sign-in.ts'
import { signOutPages } from './sign-out.ts'
import { signUpPages } from './sign-up.ts'
import { sourcePages } from './sources.ts'
import { themePages } from './theme.ts'

export const signInPages: readonly Page[] = [
  ...passwordPages,
  ...secondFactorPages,
  ...passkeyPages,
  ...changePasswordPages,
  ...recoverPages,
  ...signUpPages,
  ...signOutPages,
  ...themePages,
  ...authorizePages,
  ...sourcePages,
  ...confirmPages,
]
