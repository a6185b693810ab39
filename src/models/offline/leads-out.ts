import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { EXIT, visit } from 'unist-util-visit'
import { isLocalPath } from './retrieved-passage.ts'

const parser = unified().use(remarkParse).use(remarkGfm)
/** Text without any of these cannot lead out. */
const suspicious = /:\/\/|www\.|\]\(\s*<?(?!\/[^/\\])|\][[:]|!\[|<|\w@\w/i

/**
 * Whether Markdown contains an image, raw HTML or an external link, as a front end parses it.
 *
 * Quotes are cleaned individually by simple rules; only a parser can tell what they become together. Parses only
 * suspicious text, because parsing costs more than the rest of an answer.
 */
export function leadsOut(markdown: string): boolean {
  if (!suspicious.test(markdown)) return false
  let isFound = false
  visit(parser.parse(markdown), (node) => {
    if (node.type === 'link' || node.type === 'definition') isFound = !isLocalPath(node.url)
    if (node.type === 'image' || node.type === 'imageReference' || node.type === 'html') isFound = true
    return isFound ? EXIT : undefined
  })
  return isFound
}
