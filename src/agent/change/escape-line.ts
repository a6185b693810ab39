import { maskSecrets } from '../../base/mask-secrets.ts'

/** Escapes untrusted text for a host's Markdown: one line without links, images, mentions or markup. */
export function escapeLine(text: string, charsMax: number): string {
  return escapeMarkdown(oneLine(text, charsMax))
}

function oneLine(text: string, charsMax: number): string {
  const line = maskSecrets(text).replaceAll(/\s+/g, ' ').trim()
  return line.length > charsMax ? `${line.slice(0, charsMax - 1).trimEnd()}…` : line
}

function escapeMarkdown(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[[\]!`*_#|~]/g, (sign) => `\\${sign}`)
    .replaceAll('@', '&#64;')
    .replaceAll(/\b(https?):\/\//gi, '$1&#58;//')
}

/**
 * Makes untrusted text plain for commit messages and titles, which no host shows as they are: one line without mentions,
 * issues that a merge would close, addresses, tags, or marks that skip builds.
 */
export function writePlainLine(text: string, charsMax: number): string {
  const plain = text
    .replaceAll(/(?<![\w.])@(?=\w)/g, '(at)')
    .replaceAll(/(?<!\w)([#!])(?=\d)/g, 'no. ')
    .replaceAll(/\bGH-(?=\d)/gi, 'GH ')
    .replaceAll(/([\w.-]\/[\w.-]{1,100})#(?=\d)/g, '$1 no. ')
    .replaceAll(/\bhttps?:\/\//gi, '')
    .replaceAll(/[[\]]/g, (sign) => (sign === '[' ? '(' : ')'))
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll(/\*{3,}/g, '')
  return oneLine(plain, charsMax)
}

/** A path as inline code. Replaces backticks, which would end the code. */
export function formatPathAsCode(path: string): string {
  return `\`${path.replaceAll('`', "'").slice(0, 200)}\``
}
