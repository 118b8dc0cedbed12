/** Why sshd did not start, in words that name the setting. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNot } from './sshd.ts'

for (const [said, line] of [
  ['setpriv: failed to execute /usr/sbin/sshd: No such file or directory', /apt-get install openssh-server/],
  ['Bind to port 22 on 127.0.0.1 failed: Address already in use.', /^ssh\.listen_port: the port is in use/],
  [
    'Bind to port 22 on 0.0.0.0 failed: Permission denied.',
    /^ssh\.listen_host and ssh\.listen_port: .* set others/,
  ],
  ['Bind to port 22 on 203.0.113.9 failed: Cannot assign requested address.', /^ssh\.listen_host and /],
  ['sshd_config line 3: Bad configuration option', /^sshd failed to start: sshd_config line 3/],
] as const)
  test(`«${said}» is explained`, () => assert.match(whyNot(said), line))
