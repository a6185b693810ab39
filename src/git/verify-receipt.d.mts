/** What was found of a receipt. */
export interface ReceiptReport {
  /** Whether something was checked and all that was checked holds. */
  verified: boolean
  /** Whether it was signed with one of the given keys; `unchecked` if none was given. */
  origin: 'checked' | 'unchecked' | 'failed'
  /** In the receipt's order; empty if there is a `problem`. */
  citations: { status: 'held' | 'failed' | 'unchecked'; detail: string }[]
  /** Why it is no receipt, or not one of the key's, in a sentence. */
  problem: string | null
}

/** The public part of an Ed25519 key. */
export interface ReceiptKey {
  kty: 'OKP'
  crv: 'Ed25519'
  /** 32 bytes, base64url. */
  x: string
}

export const receiptFormat: 'docent-receipt-1'

/** Every field of a receipt, sorted. All but `signature` are signed. */
export const receiptFields: readonly string[]

/**
 * The canonical form of a JSON value by RFC 8785.
 *
 * @throws {Error} if it contains a number or string that JSON cannot represent exactly.
 */
export function canonicalize(value: unknown): string

/** The RFC 7638 thumbprint of a key. */
export function keyIdOf(key: Pick<ReceiptKey, 'x'>): string

/** As `holdsQuote` of the content room, which finds the lines of quotes. */
export function holdsQuote(lines: string, quote: string): boolean

/**
 * Checks a receipt. Anything may be in it; nothing in it is trusted.
 *
 * @param bytes The file as it is, at most 4 MiB.
 */
export function checkReceipt(
  bytes: Uint8Array,
  against: {
    /** Folder of a clone that contains the commits; without it, citations are not checked. */
    repository?: string | null
    /** Keys of the installation; without them, the origin is not checked. */
    keys?: readonly ReceiptKey[] | null
  },
): Promise<ReceiptReport>

export function describeReport(report: ReceiptReport): string[]

/**
 * As `checkReceipt`, with files.
 *
 * @param input The paths of the receipt and of the repository; the path or URL of the key.
 * @throws {Error} with a sentence, if a file or the key cannot be read.
 */
export function verifyFiles(input: {
  receipt: string
  repository?: string | null
  key?: string | null
}): Promise<ReceiptReport>
