import { findKeyShapes, findSecrets, type FoundSecret } from './secrets/find-secrets.ts'

interface MaskRule {
  /** A substring of every match: cheap to search for before running the pattern. */
  sign: RegExp
  pattern: RegExp
  /** Replacement text, or a function that keeps part of the match. */
  replacement: string | ((found: string) => string)
}

/** Also matches without the closing line, because texts get cut; takes only what looks like key material, not the prose after it. */
const privateKey = new RegExp(
  String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:\s+(?:Proc-Type|DEK-Info):[^\n]*)*` +
    String.raw`(?:\s*[A-Za-z0-9+/=]{20,})*(?:\s*[A-Za-z0-9+/=]{0,76}\s*-----END [A-Z ]{0,40}PRIVATE KEY-----)?`,
  'g',
)

/**
 * `git@` begins repository addresses, not e-mail addresses, and an address that ends in digits is a version, as in
 * `package@1.2`. Answers are stored as shown, where the `@` may be wrapped in code to prevent autolinks.
 */
const domain = String.raw`@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])`
const emailAddress = new RegExp(
  String.raw`(?<![\p{L}\p{N}._%+-])(?!git@)[\p{L}\p{N}._%+-]{1,64}(?:${domain}|\x60${domain}\x60)`,
  'gu',
)

const digitsOfCard = /(?<![\d.])[2-6](?:[ -]?\d){12,18}(?!\d)/g

/** Order matters: a later rule must not match the remains of an earlier one. */
const rules: readonly MaskRule[] = [
  {
    sign: /bearer|basic/i,
    pattern: /(?<![\p{L}\p{N}])(bearer|basic)[ \t]+[\w.~+/-]{16,}=*/giu,
    replacement: (found) => `${firstWord(found)} [token]`,
  },
  {
    sign: /@/,
    pattern: /(?<=[a-z]:\/\/)[^\s/?#:@[\]]{0,200}:[^\s/?#@[\]]{1,400}@/gi,
    replacement: '[credentials]@',
  },
  { sign: /@/, pattern: emailAddress, replacement: '[e-mail]' },
  {
    sign: /\d(?:[ -]?\d){12}/,
    pattern: digitsOfCard,
    replacement: (found) => (isCardNumber(found) ? '[card number]' : found),
  },
]

/**
 * Replaces secrets and personal data with a word in brackets: keys and tokens of known formats, private keys, credentials
 * in URLs, what a name or an option calls a secret, e-mail addresses and card numbers.
 *
 * The one function for all that people see: records, events, pull requests, logs, webhooks. Placeholders of a known format
 * are masked as well. A safety net: a password that is a word stays. Pure.
 */
export function maskSecrets(text: string): string {
  const withoutKeys = replaceFound(text.replace(privateKey, '[private key]'), findKeyShapes)
  let masked = withoutKeys
  for (const { sign, pattern, replacement } of rules) {
    if (!sign.test(masked)) continue
    masked =
      typeof replacement === 'string' ? masked.replace(pattern, replacement) : masked.replace(pattern, replacement)
  }
  return replaceFound(masked, findSecrets)
}

/** Replaces keys, tokens and passwords only, placeholders aside, so that the rest can be read as it is. */
export function maskKeys(text: string): string {
  return replaceFound(text.replace(privateKey, '[private key]'), findSecrets)
}

function replaceFound(text: string, find: (text: string) => readonly FoundSecret[]): string {
  const found = find(text)
  if (found.length === 0) return text
  const parts: string[] = []
  let end = 0
  for (const { start, value } of found) {
    parts.push(text.slice(end, start), '[key]')
    end = start + value.length
  }
  return [...parts, text.slice(end)].join('')
}

function firstWord(text: string): string {
  return /^\S+/.exec(text)?.[0] ?? ''
}

/** Checks the Luhn digit that every card carries, because long numbers are common in documentation. */
function isCardNumber(found: string): boolean {
  const digits = found.replace(/[ -]/g, '')
  if (!/^(?:4|5[1-5]|2[2-7]|3[0-9]|6)/.test(digits)) return false
  let sum = 0
  for (const [index, digit] of digits.split('').reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
