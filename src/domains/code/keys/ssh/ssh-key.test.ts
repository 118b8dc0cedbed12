/** SSH keys: parsed as ssh-keygen does; ambiguous input is refused. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#platform/problem'
import { parseSshKey, RSA_BITS_MIN, SSH_KEY_TEXT_BYTES_MAX } from './ssh-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'ssh-key-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const ed25519 = generate('ed25519', 256)
const rsa = generate('rsa', 3072)
const ecdsa = generate('ecdsa', 256)
const ecdsa384 = generate('ecdsa', 384)
const ecdsa521 = generate('ecdsa', 521)
const made: Record<string, string> = { ed25519, rsa, ecdsa, ecdsa384, ecdsa521 }

const point = fieldsOf(ed25519)[1] ?? Buffer.alloc(0)
const [, exponent = Buffer.alloc(0), modulus = Buffer.alloc(0)] = fieldsOf(rsa)
const [, curve = Buffer.alloc(0), ecPoint = Buffer.alloc(0)] = fieldsOf(ecdsa)
const application = Buffer.from('ssh:')
const tokens: Record<string, string> = {
  'ed25519-sk': line('sk-ssh-ed25519@openssh.com', point, application),
  'ecdsa-sk': line('sk-ecdsa-sha2-nistp256@openssh.com', curve, ecPoint, application),
}

for (const [name, text] of Object.entries({ ...made, ...tokens })) {
  test(`a key of kind ${name} has the bits and the fingerprint that ssh-keygen prints`, () => {
    const [bits, fingerprint] = keygen('-lf', file(text)).split(' ')
    const key = parseSshKey(`\r\n ${text}\n`)
    assert.equal(key.bits, Number(bits))
    assert.equal(key.fingerprint, fingerprint)
    assert.equal(key.key, text)
    assert.equal(key.type, text.split(' ')[0])
    assert.equal(key.blob.toString('base64'), text.split(' ')[1])
    assert.equal(key.comment, text.split(' ').slice(2).join(' '))
  })
}

/** Keys with responses recorded from the reference. */
const ANN = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz3'
const BOB = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOPKfa2aEcAZ0qIPrTjoLViKkCujR59mZtEn3QFrQo4z'
const CID = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFSfjfkeFMLYfixoYjSDPFJxtQAe9O0FhO8OBcYP8D0T'
const DAN = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINC+11u3gdHjt5yYJwrLsCSeAvz+YGho0lyBXoC+D+pR'
/** An altered key, which is accepted all the same. */
const EVE = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz5'

for (const [name, text, key, fingerprint] of [
  ['with a comment', `${ANN} laptop`, `${ANN} laptop`, 'SHA256:qBErigk7gXX9zMkSPhHgP/+FpkIO83gmuS/n0pJluAQ'],
  [
    'with blanks in the comment',
    `${BOB}  ann at the  forge `,
    `${BOB}  ann at the  forge`,
    'SHA256:u9PoYA+EjA3zJSZ0PLMC+y1AuO159WCEfAEsboRGkmY',
  ],
  ['without its type', bare(CID), CID, 'SHA256:DIl200QN0JC/afB7WXxYJcGLdVW4jponFCWV+jwVS9E'],
  [
    'in the form of RFC 4716',
    ssh2(bare(DAN), 'Comment: "from the forge"'),
    DAN,
    'SHA256:LorEgJbVAFfnNe67ZaFteOrbWvfyGLV2f/Mx/9LaSZM',
  ],
  [
    'with words in the comment',
    `${EVE} two@host with words`,
    `${EVE} two@host with words`,
    'SHA256:WluaQJ+fFfmv+YN1Q+g52VSoC4baIh5mFqqJQIt2Yy4',
  ],
] as const) {
  test(`the recorded key ${name} is stored as recorded`, () => {
    const parsed = parseSshKey(text)
    assert.equal(parsed.key, key)
    assert.equal(parsed.fingerprint, fingerprint)
  })
}

for (const [name, text] of Object.entries(made)) {
  const plain = text.split(' ').slice(0, 2).join(' ')
  const wrapped = bare(text).replace(/.{40}/g, '$&\r\n')

  test(`a key of kind ${name} is stored equally from every form`, () => {
    assert.equal(parseSshKey(bare(text)).key, plain)
    assert.equal(parseSshKey(wrapped).key, plain, 'broken into lines')
    assert.equal(parseSshKey(`${plain.split(' ')[0]} ${wrapped} at home`).key, `${plain} at home`)
    assert.equal(parseSshKey(keygen('-e', '-m', 'RFC4716', '-f', file(text))).key, plain, 'RFC 4716')
    const headers = ['Subject: me', 'x-long: it goes \\', 'on and \\', 'on', 'Comment: c']
    assert.equal(parseSshKey(ssh2(wrapped, ...headers)).key, plain, 'RFC 4716 with headers')
  })
}

for (const name of ['rsa', 'ecdsa', 'ecdsa384', 'ecdsa521']) {
  test(`a PEM public key of kind ${name} is converted as by ssh-keygen`, () => {
    const text = made[name] ?? ''
    for (const format of name === 'rsa' ? ['PKCS8', 'PEM'] : ['PKCS8']) {
      const pem = keygen('-e', '-m', format, '-f', file(text))
      assert.match(pem, /PUBLIC KEY/)
      assert.equal(parseSshKey(pem.replaceAll('\n', '\r\n')).blob.toString('base64'), bare(text), format)
    }
  })
}

test('a PEM public key of kind ed25519 keeps its bytes', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const expected = line('ssh-ed25519', Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  assert.equal(parseSshKey(pemOf(publicKey)).key, expected)
})

const offCurve = Buffer.from(ecPoint)
offCurve.writeUInt8(offCurve.readUInt8(40) ^ 1, 40)
const hybrid = Buffer.concat([Buffer.of(6), ecPoint.subarray(1)])
const compressed = Buffer.concat([Buffer.of(2), ecPoint.subarray(1, 33)])
const rsaWith = (e: Buffer, n: Buffer) => line('ssh-rsa', e, n)
const evenModulus = Buffer.from(modulus)
evenModulus.writeUInt8(evenModulus.readUInt8(evenModulus.length - 1) & 0xfe, evenModulus.length - 1)
const zero = Buffer.of(0)
const p256 = 'ecdsa-sha2-nistp256'
const withTail = (text: string) => {
  const blob = Buffer.concat([Buffer.from(bare(text), 'base64'), Buffer.from('more')])
  return `${text.split(' ')[0]} ${blob.toString('base64')}`
}

for (const [name, text, reason] of [
  ['nothing', '', /truncated/],
  ['blanks', ' \n\t ', /truncated/],
  ['no key at all', 'ssh-ed25519 nonsense', /truncated/],
  ['a private key of OpenSSH', () => readFileSync(join(folder, 'ed25519-256'), 'utf8'), /private key/],
  ['a private key in PEM', () => privatePem(), /private key/],
  ['a private key beside a public one', () => `${pemOf(someKey('ed25519'))}${privatePem()}`, /private key/],
  ['a private key of PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none', /private key/],
  ['two keys', `${ANN}\n${BOB}`, /base64/],
  ['two keys with comments', `${ANN} one\n${BOB} two`, /single line/],
  ['two keys, the second without type', `${ANN}\n${bare(BOB)}`, /trailing data/],
  ['two keys without types', `${bare(ANN)}\n${bare(BOB)}`, /trailing data/],
  ['a line feed in the comment', `${ANN} one\ntwo`, /single line/],
  ['a zero in the comment', `${ANN} one\0two`, /single line of text/],
  ['half a letter in the comment', `${ANN} one\ud800`, /Unicode/],
  ['a type that is not that of the blob', ANN.replace('ssh-ed25519', 'ssh-rsa'), /do not match/],
  ['options in front', `command="sh" ${ANN}`, /base64/],
  ['blanks after the type', ANN.replace(' ', '  '), /truncated/],
  ['a tab after the type', ANN.replace(' ', '\t'), /base64/],
  ['base64 for addresses', () => DAN.replaceAll('+', '-'), /base64/],
  ['base64 that is cut', ANN.slice(0, -1), /base64/],
  ['base64 with idle bits', () => `${p256} ${bare(ecdsa).replace(/.=$/, idle)}`, /base64/],
  ['a blob that is cut', `ssh-ed25519 ${bare(ANN).slice(0, -4)}`, /truncated/],
  ['a blob with a tail', withTail(ANN), /trailing data/],
  ['an RSA blob with a tail', withTail(rsa), /trailing data/],
  ['a long text', `${ANN} ${'x'.repeat(SSH_KEY_TEXT_BYTES_MAX)}`, /too long/],
  ['a DSA key', line('ssh-dss', modulus, point, modulus, modulus), /not allowed/],
  ['a certificate', line('ssh-ed25519-cert-v01@openssh.com', point, point), /not allowed/],
  ['a word of every object', line('constructor', point), /not allowed/],
  ['an ed25519 key of 31 bytes', line('ssh-ed25519', point.subarray(1)), /length/],
  ['an ed25519 key of 33 bytes', line('ssh-ed25519', Buffer.concat([point, zero])), /length/],
  ['a token key without application', line('sk-ssh-ed25519@openssh.com', point), /truncated/],
  ['a token key with a zero', line('sk-ssh-ed25519@openssh.com', point, Buffer.from('s\0h')), /application/],
  ['an ECDSA key of another curve', line('ecdsa-sha2-nistp384', curve, ecPoint), /curve do not match/],
  ['an ECDSA key of a wrong length', line('ecdsa-sha2-nistp384', Buffer.from('nistp384'), ecPoint), /length/],
  ['a compressed point', line(p256, curve, compressed), /length/],
  ['a point of both spellings', line(p256, curve, hybrid), /length/],
  ['a point beside its curve', line(p256, curve, offCurve), /point/],
  ['the point at infinity', line(p256, curve, Buffer.of(0)), /length/],
  ['the point of zeros', line(p256, curve, Buffer.concat([Buffer.of(4), Buffer.alloc(64)])), /point/],
  ['an RSA key of 1024 bits', () => generate('rsa', 1024), /needs 3071/],
  ['an RSA key of 2048 bits', () => generate('rsa', 2048), /needs 3071/],
  ['an RSA key that is one bit short', rsaWith(exponent, rsaNumber(RSA_BITS_MIN - 1)), /needs 3071/],
  ['an RSA key that is far too long', rsaWith(exponent, rsaNumber(16_385)), /modulus/],
  ['an even modulus', rsaWith(exponent, evenModulus), /modulus/],
  ['a negative modulus', rsaWith(exponent, modulus.subarray(1)), /malformed/],
  ['a modulus with idle zeros', rsaWith(exponent, Buffer.concat([zero, modulus])), /malformed/],
  ['no modulus', rsaWith(exponent, Buffer.alloc(0)), /malformed/],
  ['an exponent of zero', rsaWith(zero, modulus), /malformed/],
  ['an exponent of one', rsaWith(Buffer.of(1), modulus), /exponent/],
  ['an exponent of two', rsaWith(Buffer.of(2), modulus), /exponent/],
  ['an even exponent', rsaWith(Buffer.of(1, 0, 0), modulus), /exponent/],
  ['an exponent of 25 bits', rsaWith(Buffer.of(1, 0, 0, 1), modulus), /exponent/],
  ['an SSH2 block without end', ssh2(bare(DAN)).replace(/\n---- END.*/, ''), /SSH2/],
  ['an SSH2 block with another end', ssh2(bare(DAN)).replace('END SSH2 PUBLIC', 'END SSH2'), /SSH2/],
  ['two SSH2 blocks', `${ssh2(bare(DAN))}\n${ssh2(bare(BOB))}`, /base64/],
  ['an SSH2 block of headers only', ssh2('Comment: none\\'), /truncated/],
  ['an empty PEM block', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----', /PEM/],
  [
    'a PEM block of rubbish',
    '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
    /cannot be parsed/,
  ],
  ['two PEM blocks', () => pemOf(someKey('ed25519')).repeat(2), /PEM/],
  ['words before a PEM block', () => `see: ${pemOf(someKey('ed25519'))}`, /PEM/],
  ['a certificate in PEM', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /PEM/],
  ['a PEM key to agree on secrets', () => pemOf(someKey('x25519')), /not allowed/],
  ['a PEM key of a longer Edwards curve', () => pemOf(someKey('ed448')), /not allowed/],
  ['a PEM key of a curve of coins', () => pemOf(ecKey('secp256k1')), /not allowed/],
  ['a PEM key of a curve without a name', () => pemOf(ecKey('brainpoolP256r1')), /cannot be parsed/],
] as const) {
  test(`refused: ${name}`, () => {
    const given = typeof text === 'string' ? text : text()
    assert.throws(
      () => parseSshKey(given),
      (error) => {
        assert(error instanceof Problem, `${error}`)
        assert.equal(error.kind, 'invalid')
        assert.match(error.message, /^invalid key content: /)
        assert.match(error.message, reason)
        return true
      },
    )
  })
}

test('the shortest allowed RSA key is accepted', () => {
  assert.equal(parseSshKey(rsaWith(exponent, rsaNumber(RSA_BITS_MIN))).bits, RSA_BITS_MIN)
})

/** On failure fast-check prints the seed and the path of the counterexample. */
const runs = { numRuns: 3_000 }
const samples = [
  ...Object.values(made),
  ...Object.values(tokens),
  `${BOB}  ann at the  forge`,
  ssh2(bare(DAN), 'Comment: "one"'),
  pemOf(someKey('ed25519')),
  keygen('-e', '-m', 'PKCS8', '-f', file(rsa)),
]

test('a damaged text is refused, or its stored line parses to the same key', () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(3),
    added: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('A', '=', ' ', '\n', '\0', ':', '\\', '-')),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      (text, edits) => {
        let damaged = text
        for (const { at, removed, added } of edits) {
          const start = Math.floor(at * damaged.length)
          damaged = damaged.slice(0, start) + added + damaged.slice(start + removed)
        }
        assertRefusedOrStable(damaged)
      },
    ),
    runs,
  )
})

test('damaged bytes are refused, or their stored line parses to the same key', () => {
  const lines = samples.filter((text) => /^[a-z]/.test(text))
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) })
  fc.assert(
    fc.property(fc.constantFrom(...lines), fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
      const blob = Buffer.from(bare(text), 'base64')
      for (const { at, byte } of edits) blob.writeUInt8(byte, Math.floor(at * (blob.length - 1)))
      assertRefusedOrStable(`${text.split(' ')[0]} ${blob.toString('base64')}`)
      assertRefusedOrStable(blob.toString('base64'))
    }),
    runs,
  )
})

test('random text and bytes are refused with a Problem', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), assertRefusedOrStable), runs)
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => assertRefusedOrStable(Buffer.from(bytes).toString('base64'))),
    runs,
  )
})

function assertRefusedOrStable(text: string): void {
  try {
    const key = parseSshKey(text)
    assert.deepEqual(parseSshKey(key.key), key)
    assert.doesNotMatch(key.key, /[\r\n\0]/)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'invalid') throw error
  }
}

function keygen(...args: string[]): string {
  return execFileSync('ssh-keygen', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

/** Generates a key pair in the test's folder and returns the public line. */
function generate(type: string, bits: number): string {
  const path = join(folder, `${type}-${bits}`)
  keygen('-q', '-t', type, '-b', String(bits), '-N', '', '-C', `${type} made for a test`, '-f', path)
  return readFileSync(`${path}.pub`, 'utf8').trim()
}

function file(text: string): string {
  const path = join(folder, 'given.pub')
  writeFileSync(path, `${text}\n`, { mode: 0o600 })
  return path
}

function bare(text: string): string {
  return text.split(' ')[1] ?? ''
}

function ssh2(body: string, ...headers: string[]): string {
  return ['---- BEGIN SSH2 PUBLIC KEY ----', ...headers, body, '---- END SSH2 PUBLIC KEY ----'].join('\n')
}

function line(type: string, ...fields: Buffer[]): string {
  const parts = [Buffer.from(type), ...fields].flatMap((field) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(field.length)
    return [length, field]
  })
  return `${type} ${Buffer.concat(parts).toString('base64')}`
}

function fieldsOf(text: string): Buffer[] {
  const fields: Buffer[] = []
  let rest = Buffer.from(bare(text), 'base64')
  while (rest.length > 0) {
    const end = 4 + rest.readUInt32BE()
    fields.push(rest.subarray(4, end))
    rest = rest.subarray(end)
  }
  return fields
}

/** An odd number with this many bits, encoded as in a blob. */
function rsaNumber(bits: number): Buffer {
  const hex = ((1n << BigInt(bits - 1)) + 1n).toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return bits % 8 === 0 ? Buffer.concat([zero, bytes]) : bytes
}

/** The same byte before the padding, with a bit set that decoders ignore. */
function idle(end: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return `${alphabet[alphabet.indexOf(end.charAt(0)) | 1]}=`
}

function someKey(type: 'ed25519' | 'ed448' | 'x25519'): KeyObject {
  if (type === 'ed25519') return generateKeyPairSync('ed25519').publicKey
  if (type === 'ed448') return generateKeyPairSync('ed448').publicKey
  return generateKeyPairSync('x25519').publicKey
}

function ecKey(namedCurve: string): KeyObject {
  return generateKeyPairSync('ec', { namedCurve }).publicKey
}

function pemOf(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'spki' }).toString()
}

function privatePem(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}
