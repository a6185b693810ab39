interface MaskRule {
  /** A substring of every match: cheap to search for before running the pattern. */
  sign: RegExp
  pattern: RegExp
  /** Replacement text, or a function that keeps part of the match. */
  replacement: string | ((found: string) => string)
}

/** Not inside a longer word: `task-…` does not contain `sk-…`. */
const start = String.raw`(?<![\p{L}\p{N}])`

/** Keys by their prefixes. The length bounds keep prose that mentions a prefix, such as `sk-…`. */
const keyShapes = [
  String.raw`svc_(?:dsc_)?[\w-]{24,}`,
  String.raw`sk-(?:ant-|proj-|svcacct-)?[\w-]{20,}`,
  String.raw`(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}`,
  String.raw`(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,}`,
  String.raw`github_pat_\w{30,}`,
  String.raw`gl(?:pat|dt|rt|ptt|cbt)-[\w-]{20,}`,
  String.raw`xox[abeoprs]-[\w-]{10,}`,
  String.raw`(?:AKIA|ASIA)[0-9A-Z]{16}`,
  String.raw`AIza[\w-]{35}`,
  String.raw`npm_[A-Za-z0-9]{30,}`,
  String.raw`pypi-[\w-]{40,}`,
  String.raw`hf_[A-Za-z0-9]{30,}`,
  String.raw`(?:dapi|hvs\.|dp\.pt\.|dop_v1_|lin_api_|ntn_|sbp_|shpat_|gsk_|pplx-)[A-Za-z0-9]{24,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`eyJ[\w-]{4,}\.[\w-]{8,}\.[\w-]{8,}`,
]

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
  { sign: /-----BEGIN/, pattern: privateKey, replacement: '[private key]' },
  {
    sign: /svc_|sk-|(?:sk|rk|pk|whsec)_|gh[opusr]_|github_pat_|gl(?:pat|dt|rt|ptt|cbt)-|xox|A[KS]IA|AIza|npm_|pypi-|hf_|SG\.|eyJ|dapi|hvs\.|dp\.pt|dop_v1|lin_api|ntn_|sbp_|shpat_|gsk_|pplx-/,
    pattern: new RegExp(`${start}(?:${keyShapes.join('|')})`, 'gu'),
    replacement: '[key]',
  },
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
 * in URLs, e-mail addresses and card numbers.
 *
 * A safety net with known holes: a secret without a format, such as a password in a sentence, stays. Pure.
 */
export function maskSecrets(text: string): string {
  let masked = text
  for (const { sign, pattern, replacement } of rules) {
    if (!sign.test(masked)) continue
    masked =
      typeof replacement === 'string' ? masked.replace(pattern, replacement) : masked.replace(pattern, replacement)
  }
  return masked
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
