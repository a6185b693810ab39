import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { EXIT, visit } from 'unist-util-visit'
import { isLocalPath } from './retrieved-passage.ts'

const parser = unified().use(remarkParse).use(remarkGfm)
/** Text without any of these cannot lead out. */
const suspicious = /:\/\/|www\.|\]\(\s*<?(?!\/[^/\\])|\][[:]|!\[|<|\w@\w/i

/**
 * Code in fences at the beginning of a line, which nothing but HTML or another fence can hold, without marks of fences
 * inside.
 */
const fencedCode = /(?<![^\n])(`{3,})[^`\n]*\n(?:(?![ \t]*`{3})[^\n]*\n)*\1`*[ \t]*(?![^\n])/g
const otherFence = /`{3}|~{3}/

/** Quotes often show addresses and tags in code, where they lead nowhere. */
function isSuspicious(markdown: string): boolean {
  if (!suspicious.test(markdown)) return false
  if (markdown.includes('\r')) return true
  const prose = markdown.replace(fencedCode, '')
  return suspicious.test(prose) || otherFence.test(prose)
}

/**
 * Whether Markdown contains an image, raw HTML or an external link, as a front end parses it.
 *
 * Quotes are cleaned individually by simple rules; only a parser can tell what they become together. Parses only
 * suspicious text, because parsing costs more than the rest of an answer.
 */
export function containsLink(markdown: string): boolean {
  if (!isSuspicious(markdown)) return false
  let isFound = false
  visit(parser.parse(markdown), (node) => {
    if (node.type === 'link' || node.type === 'definition') isFound = !isLocalPath(node.url)
    if (node.type === 'image' || node.type === 'imageReference' || node.type === 'html') isFound = true
    return isFound ? EXIT : undefined
  })
  return isFound
}
