import { hash } from 'node:crypto'
import { tsPlugin } from '@sveltejs/acorn-typescript'
import { Parser } from 'acorn'
import { hasPlaceholder, type Sample, type SampleVerdict, undecided } from './sample.ts'

const PlainParser = Parser.extend(tsPlugin({ jsx: false }))
const JsxParser = Parser.extend(tsPlugin({ jsx: {} }))
const options = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowSuperOutsideMethod: true,
  allowHashBang: true,
  checkPrivateFields: false,
  locations: true,
} as const

/** Longer ones are programs, and parse slowly. */
const codeCharsMax = 20_000

/** Forms in which authors write parts of a program. */
const frames: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => `(${code.trim().replace(/;$/, '')})`,
  (code) => `({${code}})`,
  (code) => `class Sample {${code}}`,
  (code) => `interface Sample {${code}}`,
  // Only of elements: tags may contain any prose.
  (code) => (code.trimStart().startsWith('<') ? `<>${code}</>` : code),
  (code) => `sample(${code})`,
]

/**
 * Checks the syntax of JavaScript and TypeScript. Parts of programs, JSX and top-level `await` are not faults, and
 * neither is what a parser alone complains about: brackets or strings must be open as well.
 */
export function checkScriptSample({ code }: Sample): SampleVerdict {
  const shown = code.replace(/^\s*(?:\.\.\.|…)\s*$/gm, '')
  if (shown.length > codeCharsMax) return undecided
  if (hasSyntax(shown)) return { outcome: 'right', basis: 'JavaScript syntax' }
  const fault = hasPlaceholder(code.replace(/\.\.\.(?=[\w$([{"'])|<[\w$.]+>|\$\{/g, '')) ? null : findOpenBracket(code)
  if (fault === null) return undecided
  const subject = code.split('\n')[fault.line]?.trim().slice(0, 60) ?? ''
  return {
    outcome: 'wrong',
    basis: 'JavaScript syntax',
    message: `The sample cannot be parsed: ${fault.message}`,
    line: fault.line,
    subject,
  }
}

/**
 * Results of earlier readings in this thread, by digest: most samples of a site are those of the reading before, and
 * parsing them is the most expensive check.
 */
const known = new Map<string, boolean>()
const knownMax = 50_000

function hasSyntax(code: string): boolean {
  const digest = hash('sha1', code, 'base64url')
  const result = known.get(digest) ?? frames.some((frame) => parses(frame(code)))
  if (known.size >= knownMax) known.clear()
  known.set(digest, result)
  return result
}

function parses(code: string): boolean {
  return [PlainParser, JsxParser].some((parser) => {
    try {
      parser.parse(code, options)
      return true
    } catch {
      return false
    }
  })
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Strings, comments and templates, or one bracket. */
const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[()[\]{}]|["'`\n]/g

/** Null where all brackets are closed, or where text between tags makes that hard to say. */
function findOpenBracket(code: string): { line: number; message: string } | null {
  // An apostrophe in the text of an element does not start a string.
  if (/<[A-Za-z/][^<>]*>/.test(code)) return null
  const open: { mark: string; line: number }[] = []
  let line = 0
  for (const [text] of code.matchAll(token)) {
    const mark = text.charAt(0)
    if (text.length === 1 && /["'`]/.test(mark)) return { line, message: `a string is not closed.` }
    if (closing[text] !== undefined) open.push({ mark: text, line })
    else if (/^[)\]}]$/.test(text)) {
      const last = open.pop()
      if (last === undefined || closing[last.mark] !== text) return { line, message: `\`${text}\` closes nothing.` }
    }
    line += text.split('\n').length - 1
  }
  const last = open.at(-1)
  return last === undefined ? null : { line: last.line, message: `\`${last.mark}\` is not closed.` }
}
