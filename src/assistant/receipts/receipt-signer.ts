import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { z } from 'zod'
import { type Receipt, type receiptKeySchema, receiptSchema, type UnsignedReceipt } from '../../contract/receipts.ts'
import { canonicalize, keyIdOf, receiptFields, receiptFormat } from '../../git/verify-receipt.mjs'

/** DER of a PKCS #8 private key of Ed25519 up to the 32 bytes of its seed (RFC 8410). */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const covers = receiptFields.filter((name) => name !== 'signature')

/** Signs receipts with the installation's key. The same answer yields the same receipt. */
export class ReceiptSigner {
  readonly #key: KeyObject
  /** The key as it is published. */
  readonly publicKey: z.output<typeof receiptKeySchema>

  /** @param seed 32 bytes, the same in every process of the installation. */
  constructor(seed: Buffer) {
    this.#key = createPrivateKey({ key: Buffer.concat([seedPrefix, seed]), format: 'der', type: 'pkcs8' })
    const { x = '' } = createPublicKey(this.#key).export({ format: 'jwk' })
    this.publicKey = { kty: 'OKP', crv: 'Ed25519', x, kid: keyIdOf({ x }), alg: 'EdDSA', use: 'sig' }
  }

  sign(receipt: UnsignedReceipt): Receipt {
    const named = { ...receipt, format: receiptFormat, covers, key: this.publicKey.kid, signature: '' }
    // Parsed first, because that is what is sent: only fields of the contract.
    const { signature: _none, ...covered } = receiptSchema.parse(JSON.parse(JSON.stringify(named), makeWellFormed))
    const signature = sign(null, Buffer.from(canonicalize(covered)), this.#key).toString('base64url')
    return { ...covered, signature }
  }
}

/** Half a surrogate pair has no canonical form. */
function makeWellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
