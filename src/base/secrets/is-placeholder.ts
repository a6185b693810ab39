/** Words with which documentation fills the place of a secret, also as part of a longer text. */
const words =
  /your|example|sample|placehold|dummy|fake|redact|change-?me|change_me|insert|replace|secret|passw|p4ssw|token|apikey|api-key|api_key|hidden|masked|mock|lorem|ipsum|foobar|foo-?bar|hunter2|letmein|qwert|asdf|deadbeef|cafebabe|not-?a?-?real|something|goes-?here|todo|demo|testing|invalid|correct-?horse|admin|welcome|guest|xx{3}|\*{3}|\.{3}|…|<|>|\{|\}|20[23]\d-[01]\d-[0-3]\d|^\$|^%[\w]+%$/i

/** Published by their services for documentation; recognized by a part that random keys do not have. */
const published = [
  // The token that jwt.io shows, by the start of its claims.
  'eyJzdWIiOiIxMjM0NTY3ODkw',
  'wJalrXUtnFEMI/K7MDENG',
  'je7MtGbClwBF/2Zp9Utk/h3yCo8nvb',
  '4eC39HqLyjWDarjtT1zdp7dc',
  '51Gx2nT2eZvKYlo2C',
  'TYooMQauvdEDq54NiTphI7jx',
  'BQokikJOvBiI2HlWgH4olfQ2',
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq',
  'C2FCaFGbTwy2yxYVuPmLuwGHXeSdcqPWzs',
  // The first accounts of local Ethereum nodes.
  'ac0974bec39a17e36ba4a6b4d238ff944bacb478',
  '59c6995e998f97a5a0044966f0945389dc9e86da',
  '5de4111afa1a4b94908f83103eb1f1706367c2e6',
]

/**
 * Whether a text stands for a secret instead of being one: as documentation writes it, made of words, of few characters
 * or of ones in order, or known to everybody.
 */
export function isPlaceholder(secret: string): boolean {
  // Long ones are drawn from letters that may spell anything.
  const isSpelled = words.test(secret) || (secret.length < 24 && words.test(unleet(secret)))
  return isSpelled || isMadeUp(secret) || published.some((known) => secret.includes(known))
}

/** Whether a text goes on as one that was cut or is to be filled in: `sk-ant-…`, `ghp_abc***`. */
export const isCutBefore = (rest: string): boolean => /^(?:\.{2}|…|\*{2}|<(?!\/)|\$?\{|x{3})/i.test(rest)

/** `P@ssw0rd` is a word. */
function unleet(text: string): string {
  return text
    .replace(/[@4]/g, 'a')
    .replaceAll('0', 'o')
    .replace(/[$5]/g, 's')
    .replaceAll('3', 'e')
    .replace(/[1!]/g, 'l')
}

/** Typed and not drawn: few different characters, `1234`, `abcd`, `aaaa`, and two of these by turns, as in `1a2b3c4d`. */
function isMadeUp(text: string): boolean {
  const byTurns = [0, 1].map((from) =>
    countInOrder(
      text
        .split('')
        .filter((_, index) => index % 2 === from)
        .join(''),
    ),
  )
  const inOrder = Math.max(countInOrder(text), Math.min(...byTurns) * 2)
  const isShort = new Set(text.toLowerCase()).size < Math.min(8, text.length * 0.5)
  return isShort || inOrder >= Math.max(8, text.length * 0.2) || inOrder >= text.length * 0.3
}

/** Characters in runs of at least four of which each is the one before, or the next or the last but one to it. */
function countInOrder(text: string): number {
  let total = 0
  let run = 1
  let step: number | null = null
  for (let index = 1; index <= text.length; index++) {
    const next = index === text.length ? null : text.charCodeAt(index) - text.charCodeAt(index - 1)
    if (next !== null && next === step) run++
    else {
      if (run >= 4) total += run
      step = next !== null && Math.abs(next) <= 1 ? next : null
      run = step === null ? 1 : 2
    }
  }
  return total
}

/** By Shannon, in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0)
}

/** Addresses, paths, hashes with their algorithm, ids and the heads of web tokens. */
const plain =
  /^(?:0x|\$|[./~@%&#]|(?:sha|SHA)\d+[-:]|argon2|[a-z][a-z0-9+.-]*:|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|eyJ[\w-]{0,80}$|[A-Z0-9]+(?:_[A-Z0-9]+)+$)/
/** Code, and words joined by hyphens. */
const readable =
  /^(?:[a-z_]\w*(?:\.[a-z_]\w*)+|[A-Z]?[a-z]+(?:[A-Z][a-z]*)*\d{0,2}|[A-Za-z]+\d{0,4}(?:[-_./:+=&?](?:\d{1,4}[KMG]|[A-Za-z]*(?:20\d{6}|\d{0,4})))*)$/

/** Whether a text is drawn from many characters, and neither code nor words. */
export function isRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(text)) return entropyOf(text) >= 3
  const isCapital = isDrawnCapitals(text)
  const isMixed = isCapital || changesOften(text)
  if (!isCapital && (plain.test(text) || (readable.test(text) && !isMixed))) return false
  const hasDigit = /\d/.test(text) && /[a-z]/i.test(text)
  return (hasDigit || isMixed) && entropyOf(text) >= Math.min(3.6, 0.79 * Math.log2(text.length))
}

/** Whether lower case, upper case and digits alternate as they do by chance, and not as in words. */
function changesOften(text: string): boolean {
  const letters = text.replace(/[^A-Za-z0-9]/g, '')
  const kinds = letters.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0')
  let changes = 0
  for (let index = 1; index < kinds.length; index++) if (kinds[index] !== kinds[index - 1]) changes++
  return letters.length >= 12 && changes >= letters.length * 0.35 && /[a-z]/.test(text) && /[A-Z]/.test(text)
}

/** Whether capitals do not form words: letters and digits alternate within their parts, or consonants pile up. */
export function isDrawnCapitals(text: string): boolean {
  const letters = text.replace(/[^A-Z0-9]/g, '')
  if (letters.length < 16 || /[a-z]/.test(text)) return false
  const changes = text.match(/[A-Z](?=\d)|\d(?=[A-Z])/g)?.length ?? 0
  const piled = (text.match(/[B-DF-HJ-NP-TV-XZ]{5,}/g) ?? []).join('').length
  return changes * 4 + piled * 3.3 >= letters.length
}
