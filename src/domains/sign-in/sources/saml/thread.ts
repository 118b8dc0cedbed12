/** Verifies responses of identity providers in a thread, and reads what is signed. */
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { answerOrders } from '#platform/thread'
import { type Assertion, readAssertion } from './assertion.ts'
import { ASSERTION } from './names.ts'
import { attributeOf, onlyChild, parse, Refused, textIn } from './parse.ts'
import { assertShape } from './shape.ts'

export interface ResponseOrder {
  readonly xml: string
  readonly certificates: readonly string[]
  /** Entity IDs of the provider and of the forge. */
  readonly issuer: string
  readonly audience: string
  readonly consumer: string
}

/** The facts of the response itself may be unsigned: they can refuse an answer, and never admit one. */
export interface ReadResponse {
  readonly destination: string | null
  readonly inResponseTo: string | null
  readonly issuer: string | null
  readonly isSigned: boolean
  readonly assertion: Assertion
}

export type ResponseRead = ReadResponse | { readonly refused: string }

async function read(order: ResponseOrder): Promise<ReadResponse> {
  const response = parse(order.xml)
  const { signsResponse, signsAssertion } = assertShape(response)
  const library = new SAML({
    idpCert: [...order.certificates],
    issuer: order.audience,
    idpIssuer: order.issuer,
    audience: order.audience,
    callbackUrl: order.consumer,
    // Each signature that is there must be right.
    wantAuthnResponseSigned: signsResponse,
    wantAssertionsSigned: signsAssertion,
    // Times and requests are checked with PostgreSQL's clock and rows.
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
  })
  const SAMLResponse = Buffer.from(order.xml).toString('base64')
  const { profile } = await library.validatePostResponseAsync({ SAMLResponse })
  const xml = profile?.getAssertionXml?.()
  if (xml === undefined) throw new Refused('it has no verified assertion')
  const issuer = onlyChild(response, ASSERTION, 'Issuer')
  return {
    destination: attributeOf(response, 'Destination'),
    inResponseTo: attributeOf(response, 'InResponseTo'),
    issuer: issuer === undefined ? null : textIn(issuer),
    isSigned: signsResponse,
    assertion: readAssertion(parse(xml)),
  }
}

answerOrders(async (order: ResponseOrder): Promise<ResponseRead> => {
  try {
    return await read(order)
  } catch (error) {
    return { refused: String((error as Error).message).slice(0, 300) }
  }
})
