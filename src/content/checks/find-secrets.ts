import { maskSecrets } from '../../base/mask-secrets.ts'

/** Long lines are searched in parts to keep the time linear. */
const partChars = 10_000
const overlapChars = 500

/** Finds keys, tokens and passwords on a line, except the placeholders of documentation. Linear time; pure. */
export function findSecrets(line: string): string[] {
  if (line.length <= partChars) return findInPart(line)
  const found = new Set<string>()
  for (let start = 0; start < line.length; start += partChars - overlapChars) {
    for (const secret of findInPart(line.slice(start, start + partChars))) found.add(secret)
  }
  return [...found]
}

function findInPart(line: string): string[] {
  return [...new Set([...findMasked(line), ...findNamed(line), ...findEncoded(line)])]
}

/** What the name before `=` or `:` calls a secret, if it looks random. */
const named =
  /(?:passw(?:or)?d|secret|token|api[_-]?key|(?:access|account|auth|private|secret)[_-]?key|credential)s?["'`]?[ \t]{0,5}(?:=>|:=|[:=])[ \t]{0,5}["'`]?([^\s"'`,;<>()[\]{}|]{16,200})(?!\()/gi

function findNamed(line: string): string[] {
  return [...line.matchAll(named)]
    .map(([, value = '']) => value)
    .filter((value) => isRandom(value) && !isPlaceholder(value))
}

/** Code, paths, file names, hashes with their algorithm, identifiers and words joined by hyphens. */
const readable =
  /^(?:0x|\$|[./~@%&]|sha\d+-|[a-z][a-z0-9+.-]*:|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|[A-Z0-9_]+$|[a-z_]\w*(?:\.[a-z_]\w*)+$|[a-z]+(?:[A-Z][a-z]+)+\d*$|[A-Za-z]+\d{0,4}(?:[-_./][A-Za-z]*\d{0,4})*$)/

function isRandom(value: string): boolean {
  if (!/[a-z]/i.test(value) || !/\d/.test(value) || readable.test(value)) return false
  const bits = entropyOf(value)
  return /^[0-9a-f]{32,}$/i.test(value) ? bits >= 3 : bits >= 3.6
}

/** By Shannon, in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0)
}

/** Keys of known formats within base64, decoded once. */
function findEncoded(line: string): string[] {
  return [...line.matchAll(/[A-Za-z0-9+/_-]{24,}/g)]
    .map(([run]) => run)
    .filter((run) => findMasked(Buffer.from(run, 'base64').toString('latin1')).length > 0)
}

/** The parts of a line that are masked as keys. */
function findMasked(line: string): string[] {
  const masked = maskSecrets(line)
  if (masked === line) return []
  const kept = masked.split(/\[(?:key|private key|token|credentials|e-mail|card number)\]/)
  const marks = [...masked.matchAll(/\[(key|private key|token|credentials|e-mail|card number)\]/g)].map(
    ([, kind]) => kind,
  )
  const secrets: string[] = []
  let position = kept[0]?.length ?? 0
  for (const [index, kind] of marks.entries()) {
    const next = kept[index + 1] ?? ''
    const end = next === '' && index === marks.length - 1 ? line.length : line.indexOf(next, position)
    const secret = line.slice(position, end === -1 ? line.length : end)
    position += secret.length + next.length
    if (kind !== 'e-mail' && kind !== 'card number' && !isPlaceholder(secret)) secrets.push(secret)
  }
  return secrets
}

const placeholder =
  /your|example|sample|placeholder|dummy|fake|redacted|change-?me|insert|replace|x{4,}|\*{3,}|\.{3}|…|0{6,}|1234|abcdef|<|\{|^\$/i
/** The token that jwt.io shows, by its header and the start of its claims. */
const published = /^eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.eyJzdWIiOiIxMjM0NTY3ODkwIi/

function isPlaceholder(secret: string): boolean {
  if (secret.startsWith('-----BEGIN')) return false
  return placeholder.test(secret) || published.test(secret) || new Set(secret).size < 8 || !/\d/.test(secret)
}
