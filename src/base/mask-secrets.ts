interface MaskRule {
  /** What every text holds that the pattern finds something in: cheap to look for, where the pattern is not. */
  sign: RegExp
  pattern: RegExp
  /** What stands for it; or for what the rule wants kept of it. */
  replacement: string | ((found: string) => string)
}

/** Not in the middle of a longer word, so that `task-…` holds no `sk-…`. */
const start = String.raw`(?<![\p{L}\p{N}])`

/** Keys by their beginnings. The bounds keep prose that names a prefix, such as `sk-…`, as it is. */
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
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`eyJ[\w-]{4,}\.[\w-]{8,}\.[\w-]{8,}`,
]

/** Also without its end, where a text was cut off; only what looks like the key itself belongs to it, and no prose after it. */
const privateKey = new RegExp(
  String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:\s+(?:Proc-Type|DEK-Info):[^\n]*)*` +
    String.raw`(?:\s*[A-Za-z0-9+/=]{20,})*(?:\s*[A-Za-z0-9+/=]{0,76}\s*-----END [A-Z ]{0,40}PRIVATE KEY-----)?`,
  'g',
)

/**
 * `git@` begins addresses of repositories and is nobody's name; what ends in digits is a version, as in `package@1.2`.
 * Answers are stored as they were shown, where the `@` of an address may stand in code so that no page makes it a link.
 */
const domain = String.raw`@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])`
const emailAddress = new RegExp(
  String.raw`(?<![\p{L}\p{N}._%+-])(?!git@)[\p{L}\p{N}._%+-]{1,64}(?:${domain}|\x60${domain}\x60)`,
  'gu',
)

const digitsOfCard = /(?<![\d.])[2-6](?:[ -]?\d){12,18}(?!\d)/g

/** In this order: what a later rule would find in the remains of an earlier one is gone by then. */
const rules: readonly MaskRule[] = [
  { sign: /-----BEGIN/, pattern: privateKey, replacement: '[private key]' },
  {
    sign: /svc_|sk-|(?:sk|rk|pk|whsec)_|gh[opusr]_|github_pat_|gl(?:pat|dt|rt|ptt|cbt)-|xox|A[KS]IA|AIza|npm_|pypi-|hf_|SG\.|eyJ/,
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
 * Takes out of a text what must not be kept: keys and tokens of known shapes, private keys, credentials in addresses,
 * e-mail addresses and card numbers. Each is replaced by a word in brackets that says what stood there.
 *
 * A net with known holes: a secret without a shape, such as a password in a sentence, stays. Pure.
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

/** By the check digit that every card carries, because long numbers are frequent in documentation. */
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
