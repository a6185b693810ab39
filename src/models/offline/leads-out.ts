import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { EXIT, visit } from 'unist-util-visit'
import { isLocalPath } from './retrieved-passage.ts'

const parser = unified().use(remarkParse).use(remarkGfm)
/** Without any of these there is nothing that could lead out. */
const suspicious = /:\/\/|www\.|\]\(\s*<?(?!\/[^/\\])|\][[:]|!\[|<|\w@\w/i

/**
 * Whether Markdown, as a front end reads it, holds a picture, raw HTML or a link out of the site.
 *
 * Quotes are cleaned one by one and by simple rules; what they come to when they stand together, only a parser can say.
 * Parses only what might, because parsing costs more than the rest of an answer.
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
