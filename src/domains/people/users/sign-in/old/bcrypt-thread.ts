/** Worker thread that verifies bcrypt hashes. */
import { answerOrders } from '#platform/thread'
import { verifyBcrypt } from './bcrypt.ts'

export interface BcryptOrder {
  readonly hash: string
  readonly password: string
}

answerOrders(({ hash, password }: BcryptOrder): boolean => verifyBcrypt(hash, password))
