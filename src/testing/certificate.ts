/** Certificates for test servers. */
import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate, written in DER, so that no key is in the repository. */
export function makeCertificate(dnsName: string, type: 'ec' | 'rsa' = 'ec'): { key: string; cert: string } {
  const { privateKey, publicKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  // ecdsa-with-SHA256 or sha256WithRSAEncryption
  const algorithm = der(
    0x30,
    Buffer.from(type === 'ec' ? '06082a8648ce3d040302' : '06092a864886f70d01010b0500', 'hex'),
  )
  const name = der(
    0x30,
    der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(dnsName)))),
  )
  const validity = der(0x30, der(0x17, Buffer.from('000101000000Z')), der(0x17, Buffer.from('491231235959Z')))
  const names = der(0x30, der(0x82, Buffer.from(dnsName)))
  const altName = der(0x30, Buffer.from('0603551d11', 'hex'), der(0x04, names))
  const body = der(
    0x30,
    der(0xa0, Buffer.from('020102', 'hex')),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, altName)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const text = der(0x30, body, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
