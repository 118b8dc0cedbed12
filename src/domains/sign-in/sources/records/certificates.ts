/** Certificates of an identity provider: the keys that its assertions are verified with. */
import { X509Certificate } from 'node:crypto'
import { invalid } from '#platform/problem'

const CERTIFICATES_MAX = 10
const RSA_BITS_MIN = 2_048
const PEM = /-----BEGIN CERTIFICATE-----[\s\dA-Za-z+/=]+-----END CERTIFICATE-----/g

export function splitCertificates(text: string): string[] {
  return [...text.matchAll(PEM)].map(([pem]) => pem)
}

/** An administrator trusts these keys, so neither the issuers nor the dates of their certificates are checked. */
export function assertCertificates(text: string): void {
  const all = splitCertificates(text)
  const isOther = text.replaceAll(PEM, '').trim() !== ''
  if (all.length === 0 || all.length > CERTIFICATES_MAX || isOther || !all.every(isStrong))
    throw invalid(`certificates must be 1 to ${CERTIFICATES_MAX} PEM certificates with RSA keys of 2048 bits`)
}

function isStrong(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = new X509Certificate(pem).publicKey
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN
  } catch {
    return false
  }
}
