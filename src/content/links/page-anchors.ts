import { listAnchors } from '../markdown/heading-anchors.ts'
import { anchorKey } from './anchor-key.ts'

/** Longer lines are not headings. */
const headingCharsMax = 1000
const writtenHeading = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?#{1,6}[ \t]+(\S.*)$/
const inlineElement = /<(\w{1,100})(?:\s[^<>]{0,500})?>[^<>]{0,500}<\/\1>/g
/** A link in a heading gives its id the text alone. */
const linkTarget = /\[([^[\]]{0,500})\]\([^()]{0,1000}\)/g
const attribute =
  /\b(?:id|name|title|label|header|heading|path|query|body)["']?\s*[=:]\s*(?:\{\s*)?["'`]([^"'`\n]{1,300})["'`]/g
/** A heading with an id of its own has no other. */
const givenId = /\{[ \t:]{0,5}#[^{}\n]{1,200}\}\s*$|\{\/\*\s{0,5}#[^{}\n]{1,200}\*\/\}\s*$/
const writtenId = /\{[^{}\n#]{0,100}#([^\s{}]{1,200})[^{}\n]{0,200}\}/g
/** `<!-- md:setting config.log -->`, which a hook of the site makes a heading or a term with that id. */
const commentedId = /<!--\s{0,9}[\w-]{1,40}:[\w-]{1,40}\s{1,9}([\w.+-]{1,200})/g
/** `# Title [#id]` of Nextra and Fumadocs, also in the heading that is the title. */
const bracketedId = /^[ \t]*#{1,6}[ \t][^\n]{0,500}?\[#([^\s[\]]{1,200})\]/gm

/**
 * Everything on a page that a link may target, normalized by `anchorKey`: headings (including those of snippets), ids,
 * and titles of components, from which sites derive ids by their own rules.
 *
 * @param markdown As `SitePage.markdown`.
 * @param body The page's source after the frontmatter.
 */
export function collectAnchorKeys(markdown: string, body: string): Set<string> {
  const anchors = listAnchors(markdown)
  for (const [, name = ''] of body.matchAll(attribute)) anchors.push(name, `param-${name}`, `response-${name}`)
  for (const [, name = ''] of body.matchAll(writtenId)) anchors.push(name)
  for (const [, name = ''] of body.matchAll(bracketedId)) anchors.push(name)
  for (const [, name = ''] of body.matchAll(commentedId)) anchors.push(name)
  // Also add the headings as written: a badge in a heading is not part of its id, and flattened pages only have
  // headings at the start of a line.
  for (const line of body.split('\n')) {
    const words = line.length > headingCharsMax ? undefined : writtenHeading.exec(line)?.[1]
    if (words === undefined || givenId.test(words)) continue
    const plain = words.replace(linkTarget, '$1').replace(/`([^`]*)`|&\w{1,10};/g, '$1')
    anchors.push(words, plain.replace(/<[^<>]*>/g, ''), plain.replace(inlineElement, ''))
  }
  return new Set(anchors.map(anchorKey))
}
