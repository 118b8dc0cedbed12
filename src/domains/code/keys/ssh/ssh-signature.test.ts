/** SSH signatures: made by ssh-keygen, and constructed ones of security keys. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { joinFields, parseSshKey } from './ssh-key.ts'
import { parseSshSignature, verifySshSignature } from './ssh-signature.ts'

const folder = mkdtempSync(join(tmpdir(), 'bloomery-ssh-signature-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const MESSAGE = Buffer.from('tree 1\n\nA message\n')

function makeKey(type: string, bits: number): string {
  const file = join(folder, `${type}-${bits}`)
  execFileSync('ssh-keygen', ['-q', '-t', type, '-b', String(bits), '-N', '', '-C', '', '-f', file])
  return file
}

function signWith(file: string, namespace: string, message: Buffer): string {
  writeFileSync(join(folder, 'message'), message)
  rmSync(join(folder, 'message.sig'), { force: true })
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', namespace, '-f', file, join(folder, 'message')], {
    stdio: 'pipe',
  })
  return readFileSync(join(folder, 'message.sig'), 'utf8')
}

for (const { type, bits } of [
  { type: 'ed25519', bits: 256 },
  { type: 'rsa', bits: 3072 },
  { type: 'ecdsa', bits: 256 },
  { type: 'ecdsa', bits: 384 },
  { type: 'ecdsa', bits: 521 },
])
  test(`a signature by ${type} of ${bits} bits verifies only its message and namespace`, () => {
    const file = makeKey(type, bits)
    const signature = parseSshSignature(signWith(file, 'git', MESSAGE))
    assert.ok(signature)
    assert.equal(signature.fingerprint, parseSshKey(readFileSync(`${file}.pub`, 'utf8')).fingerprint)
    assert.equal(verifySshSignature(signature, MESSAGE, 'git'), true)
    assert.equal(verifySshSignature(signature, Buffer.from('another'), 'git'), false)
    assert.equal(verifySshSignature(signature, MESSAGE, 'file'), false)
    const other = parseSshSignature(signWith(file, 'file', MESSAGE))
    assert.ok(other)
    assert.equal(verifySshSignature(other, MESSAGE, 'git'), false)
    const bytes = Buffer.from(signature.bytes)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    assert.equal(verifySshSignature({ ...signature, bytes }, MESSAGE, 'git'), false)
  })

function signOnToken(flags: number): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const type = Buffer.from('sk-ssh-ed25519@openssh.com')
  const key = joinFields([type, x, Buffer.from('ssh:')])
  const digest = (data: Buffer) => createHash('sha256').update(data).digest()
  const parts = [Buffer.from('git'), Buffer.alloc(0), Buffer.from('sha256')]
  const signed = Buffer.concat([Buffer.from('SSHSIG'), joinFields([...parts, digest(MESSAGE)])])
  const counter = Buffer.from([flags, 0, 0, 0, 7])
  const bytes = sign(null, Buffer.concat([digest(Buffer.from('ssh:')), counter, digest(signed)]), privateKey)
  const signature = Buffer.concat([joinFields([type, bytes]), counter])
  const version = Buffer.from([0, 0, 0, 1])
  const whole = Buffer.concat([Buffer.from('SSHSIG'), version, joinFields([key, ...parts, signature])])
  return `-----BEGIN SSH SIGNATURE-----\n${whole.toString('base64')}\n-----END SSH SIGNATURE-----\n`
}

test('a signature by a security key verifies only with user presence', () => {
  const touched = parseSshSignature(signOnToken(1))
  const untouched = parseSshSignature(signOnToken(0))
  assert.ok(touched && untouched)
  assert.equal(verifySshSignature(touched, MESSAGE, 'git'), true)
  assert.equal(verifySshSignature(touched, Buffer.from('another'), 'git'), false)
  assert.equal(verifySshSignature(untouched, MESSAGE, 'git'), false)
})

for (const text of [
  '',
  'nonsense',
  '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----',
  `-----BEGIN SSH SIGNATURE-----\n${Buffer.from('SSHSIG\0\0\0\x01\xff\xff\xff\xff').toString('base64')}\n-----END SSH SIGNATURE-----`,
  `-----BEGIN SSH SIGNATURE-----\n${'A'.repeat(20_000)}\n-----END SSH SIGNATURE-----`,
])
  test(`text that is no signature is refused: ${JSON.stringify(text.slice(0, 60))}`, () => {
    assert.equal(parseSshSignature(text), undefined)
  })
