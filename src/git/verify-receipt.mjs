#!/usr/bin/env node
// Checks the receipt of an answer against a clone of the site's repository:
//   node docent-verify.mjs RECEIPT.json --repository FOLDER [--key FILE|URL]
// Needs git, Node 20 or newer and nothing else, so that a receipt can be checked without Docent. Exits with 0 if all that
// was checked holds, 1 if anything does not, 2 on wrong use. `docent verify` runs this same file.

import { execFile } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

export const receiptFormat = 'docent-receipt-1'
const fieldNames =
  'answeredAt citations commit covers format key language messageId model question revision signature site text threadId verdict version'
export const receiptFields = fieldNames.split(' ')
const coveredFields = receiptFields.filter((name) => name !== 'signature')
const [receiptBytesMax, keyBytesMax, fileBytesMax, citationsMax] = [4 << 20, 64 << 10, 64 << 20, 1000]

/** Of Markdown, what is not words; the same expression as in the program that finds the lines of quotes. */
const markup =
  /<!--[^<]{0,5000}?-->|\{\/\*[^{]{0,5000}?\*\/\}|(?<!\\)<\/?[A-Za-z][\w.-]{0,100}(?:\s[^<>]{0,2000})?\/?>|\]\((?:[^()\n]|\([^()\n]*\)){0,2000}\)|\]\[[^\][]{0,200}\]|\{:?[ \t]{0,20}[#.][\w-][^{}\n]{0,200}\}|&(?:#\w{1,8}|[A-Za-z]\w{1,30});|(?<=^[ \t>]{0,50}(?:[-*+][ \t]{1,10})?(?:\*\*)?)\d{1,9}[.)](?=[ \t])|^[ \t>]{0,50}\*\*[^*\n:]{1,60}:/gm
const invisible = /&shy;|[\u00AD\u200B-\u200D\u2060\uFEFF]/g

/** For a terminal: short, on one line, without characters that change how it shows the rest. */
const show = (value) => JSON.stringify(String(value).slice(0, 200)).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')

function refuse(sentence) {
  throw new Error(sentence)
}

/** The bytes that are signed: RFC 8785, the JSON Canonicalization Scheme, which writes numbers and strings as JavaScript does. */
export function canonicalize(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const names = Object.keys(value).sort() // By UTF-16 code units, as the scheme demands.
    return `{${names.map((name) => `${canonicalize(name)}:${canonicalize(value[name])}`).join(',')}}`
  }
  const isExact = typeof value === 'string' ? value.isWellFormed() : typeof value !== 'number' || Number.isFinite(value)
  return (isExact && JSON.stringify(value)) || refuse('It contains a value that JSON cannot represent exactly.')
}

/** The RFC 7638 thumbprint of an Ed25519 key. */
export function keyIdOf({ x }) {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
}

/** Parses JSON that all parsers read alike: no name twice in an object, no number in an unusual form. */
function parseStrictly(bytes) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  const value = JSON.parse(text)
  const normalize = (token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : '')
  const isPlain = text.replace(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, normalize) === JSON.stringify(value)
  return isPlain ? value : refuse('It contains a name twice, or a number that is not in plain form.')
}

function readReceipt(bytes) {
  if (bytes.length > receiptBytesMax) refuse('It is larger than 4 MiB.')
  const receipt = parseStrictly(bytes)
  if (receipt?.format !== receiptFormat)
    refuse(`Its format is not ${receiptFormat}. Get a newer version of this program.`)
  const others = Object.keys(receipt).filter((name) => !receiptFields.includes(name))
  if (others.length > 0) refuse(`The signature does not cover these fields: ${others.map(show).join(', ')}.`)
  const missing = receiptFields.filter((name) => !Object.hasOwn(receipt, name))
  if (missing.length > 0) refuse(`These fields are missing: ${missing.join(', ')}.`)
  if (canonicalize(receipt.covers) !== canonicalize(coveredFields)) refuse('Its list of covered fields is wrong.')
  if (Array.isArray(receipt.citations) && receipt.citations.length <= citationsMax) return receipt
  return refuse(`Its citations are not a list of at most ${citationsMax}.`)
}

function checkSignature({ signature, ...covered }, keys) {
  const key = keys.find((each) => keyIdOf(each) === covered.key)
  if (key === undefined) refuse(`It was signed with the key ${show(covered.key)}, not with the given one.`)
  const bytes = Buffer.from(String(signature), 'base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' })
  const isSigned = verify(null, Buffer.from(canonicalize(covered)), publicKey, bytes)
  if (!isSigned || bytes.toString('base64url') !== signature) refuse('It was changed after it was signed.')
}

/** The words of Markdown as it is written: letters and digits, with a single space for everything else. */
const listWords = (markdown) =>
  markdown
    .replace(invisible, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Documented in `verify-receipt.d.mts`. */
export function holdsQuote(lines, quote) {
  const rules = [(markdown) => listWords(markdown.replace(invisible, '').replace(markup, ' ')), listWords]
  const quoted = rules.map((rule) => rule(quote)).filter((words) => words !== '')
  return rules.some((rule) => quoted.some((words) => ` ${rule(lines)} `.includes(` ${words} `)))
}

/** Only full ids and plain paths reach git, so that nothing in a receipt is an option, an expression or another place. */
function readPlace({ commit, file, lines }) {
  const isId = typeof commit === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)
  if (!isId) refuse(`${show(commit)} is not the full id of a commit.`)
  const parts = typeof file === 'string' && file.length <= 4096 ? file.split('/') : ['']
  if (parts.some((part) => /^\.{0,2}$|\p{Cc}/u.test(part))) refuse(`${show(file)} is not a path in a repository.`)
  const [first, last] = Array.isArray(lines) && lines.length === 2 ? lines : []
  const isRange = Number.isSafeInteger(first) && Number.isSafeInteger(last) && first >= 1 && last >= first
  if (!isRange) refuse(`${show(JSON.stringify(lines))} is not a range of lines.`)
  return { object: `${commit}^{commit}:${file}`, name: `${show(file)}, lines ${first} to ${last}, commit ${commit}` }
}

const gitSettings = ['safe.directory=*', 'core.fsmonitor=false', `core.hooksPath=${devNull}`, 'protocol.allow=never']
const gitVariables =
  `LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=${devNull} GIT_ALLOW_PROTOCOL= GIT_NO_LAZY_FETCH=1 GIT_NO_REPLACE_OBJECTS=1`.split(
    ' ',
  )

/** Runs nothing that the repository or the environment names, and fetches nothing. */
function runGit(repository, command) {
  const env = { PATH: process.env['PATH'], ...Object.fromEntries(gitVariables.map((each) => each.split('='))) }
  const args = [...gitSettings.flatMap((each) => ['-c', each]), '-C', resolve(repository), ...command]
  return promisify(execFile)('git', args, { env, encoding: 'buffer', maxBuffer: fileBytesMax, timeout: 30_000 })
}

/** As `git show COMMIT:FILE`. */
async function readObject(repository, object) {
  const run = runGit(repository, ['cat-file', '--end-of-options', 'blob', object])
  return (await run.catch(({ code, stderr }) => refuse(`git cannot read it: ${show(stderr || code)}`))).stdout
}

/** Lines with their breaks, counted from 1; null if the file has fewer. */
function cutLines(bytes, [first, last]) {
  const endOf = (start) => bytes.indexOf(10, start) + 1 || bytes.length
  let start = 0
  for (let line = 1; line < first && start < bytes.length; line++) start = endOf(start)
  let end = start
  for (let line = first; line <= last; line++, end = endOf(end)) if (end >= bytes.length) return null
  return bytes.subarray(start, end)
}

async function checkCitation({ source, quote }, read) {
  if (read === null) return { status: 'unchecked', detail: 'No repository was given.' }
  if (source.file === null) return { status: 'unchecked', detail: 'Its lines in the source are not known.' }
  const { object, name } = readPlace(source)
  const lines = cutLines(await read(object), source.lines) ?? refuse(`${name}: the file has fewer lines.`)
  const isSame = createHash('sha256').update(lines).digest('hex') === source.sha256
  if (!isSame) refuse(`${name}: the lines have another SHA-256.`)
  return holdsQuote(lines.toString(), quote)
    ? { status: 'held', detail: name }
    : refuse(`${name}: the quote is not in these lines.`)
}

/** What the engine throws at values of other types is no sentence for people. */
const tell = (error, otherwise) => (error.constructor === Error ? error.message : otherwise)

/** Documented in `verify-receipt.d.mts`. */
export async function checkReceipt(bytes, { repository = null, keys = null }) {
  const report = { verified: false, origin: keys === null ? 'unchecked' : 'failed', citations: [], problem: null }
  const files = new Map()
  const read = (object) => files.get(object) ?? files.set(object, readObject(repository, object)).get(object)
  try {
    const receipt = readReceipt(bytes)
    if (keys !== null) checkSignature(receipt, keys)
    if (keys !== null) report.origin = 'checked'
    for (const citation of receipt.citations) {
      const failed = (error) => ({ status: 'failed', detail: tell(error, 'It is not a citation.') })
      report.citations.push(await checkCitation(citation, repository && read).catch(failed))
    }
  } catch (error) {
    return { ...report, problem: tell(error, 'It is not a receipt in JSON.') }
  }
  const has = (status) => report.citations.some((each) => each.status === status)
  return { ...report, verified: !has('failed') && (report.origin === 'checked' || has('held')) }
}

export function describeReport({ verified, origin, citations, problem }) {
  if (problem !== null) return [`Not verified. ${problem}`]
  const words = { held: 'holds', failed: 'does not hold', unchecked: 'was not checked' }
  const lines = citations.map(({ status, detail }, index) => `Citation ${index + 1} ${words[status]}: ${detail}`)
  const [held, failed] = ['held', 'failed'].map((word) => citations.filter(({ status }) => status === word).length)
  const checked = `itations checked (${held} of ${citations.length})`
  if (failed > 0) return [...lines, `Not verified: ${failed} of ${citations.length} citations do not hold.`]
  if (!verified) return [...lines, 'Not verified: nothing could be checked.']
  if (origin === 'unchecked') return [...lines, `C${checked}, origin not.`]
  return [...lines, held > 0 ? `Origin and c${checked}.` : 'Origin checked, citations not.']
}

function readBounded(path, bytesMax) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() && found.size <= bytesMax) return readFileSync(path)
  return refuse(`There is no file ${show(path)} of at most ${bytesMax} bytes.`)
}

async function fetchKey(url) {
  const isSafe = url.protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (!isSafe) refuse('By http, anybody on the way can send another key: fetch it by https, or give a file.')
  const options = { redirect: 'error', signal: AbortSignal.timeout(10_000) }
  const response = await fetch(url, options).catch(({ cause }) => refuse(`${show(url)}: ${show(cause?.message)}`))
  const chunks = []
  for await (const chunk of response.body) if (chunks.push(chunk) > 16) refuse(`${show(url)} sends more than a key.`)
  return Buffer.concat(chunks)
}

/** The place is never taken from the receipt, whose author may have keys too. */
async function readKeys(place) {
  const bytes = /^https?:/i.test(place) ? await fetchKey(new URL(place)) : readBounded(place, keyBytesMax)
  const isKey = (key) => key?.kty === 'OKP' && key.crv === 'Ed25519' && /^[\w-]{43}$/.test(key.x)
  try {
    const parsed = JSON.parse(bytes.toString())
    const keys = Array.isArray(parsed.keys) ? parsed.keys : [parsed]
    if (keys.every(isKey)) return keys
  } catch {}
  return refuse(`${show(place)} contains no public Ed25519 key as a JSON Web Key.`)
}

/** A wrong folder says nothing about the receipt. */
async function requireRepository(folder) {
  await runGit(folder, ['rev-parse', '--git-dir']).catch(() => refuse(`${show(folder)} is not a git repository.`))
}

export async function verifyFiles({ receipt, repository = null, key = null }) {
  const bytes = readBounded(receipt, receiptBytesMax)
  if (repository !== null) await requireRepository(repository)
  const keys = key === null ? null : await readKeys(key)
  return checkReceipt(bytes, { repository, keys })
}

async function main() {
  const options = { repository: { type: 'string' }, key: { type: 'string' } }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const isComplete = positionals.length === 1 && (values.repository ?? values.key) !== undefined
  if (!isComplete) refuse('Usage: node docent-verify.mjs RECEIPT.json --repository FOLDER [--key FILE|URL]')
  const report = await verifyFiles({ receipt: positionals[0], ...values })
  process.stdout.write(`${describeReport(report).join('\n')}\n`)
  process.exitCode = report.verified ? 0 : 1
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  })
}
