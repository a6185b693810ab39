import { mapProse, readFenceMarker } from '../markdown/code-fence.ts'
import { titleAttributes } from '../markdown/strip-tags.ts'
import { invisible } from './normalize-words.ts'

/**
 * What of prose is not words: comments, tags, targets of links, references, attribute lists, character references,
 * the numbers of list items and steps, and the kinds of containers (`::: tip`, `!!! note`, `/// tab`). Bounded, so that
 * the time is linear.
 */
const markup =
  /<!--[^<]{0,5000}?-->|\{\/\*[^{]{0,5000}?\*\/\}|(?<!\\)<\/?[A-Za-z][\w.-]{0,100}(?:\s(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^"'<>]){0,2000})?\/?>|\]\((?:[^()\n]|\([^()\n]*\)){0,2000}\)|\]\[[^\][]{0,200}\]|\{:?[ \t]{0,20}[#.][\w-][^{}\n]{0,200}\}|&(?:#\w{1,8}|[A-Za-z]\w{1,30});|(?<=^[ \t>]{0,50}(?:[-*+][ \t]{1,10})?(?:\*\*)?)\d{1,9}[.)](?=[ \t])|^[ \t>]{0,50}(?::{3,}|!!!|\?\?\?\+?|\/{3,}|===)[ \t]{0,20}[\w-]{0,50}(?=[ \t|"[{]|$)/gm

/** An attribute of a tag, or what else is in it. */
const attribute = /([A-Za-z][\w:-]{0,50})\s{0,20}=\s{0,20}\{?\s{0,20}(?:"([^"]*)"|'([^']*)'|`([^`]*)`)|[\w:./-]+|[^\n]/g
const textAttributes: ReadonlySet<string> = new Set(titleAttributes)

/** Around the text of an attribute, which is a line of its own to its readers. */
export const attributeMark = '\0'

/**
 * The words of each line, to find blocks that the flattening has changed: in prose without `markup`, but with the values
 * of `titleAttributes` between `attributeMark`; of fenced code, all but the lines of the fences. Pure, linear time.
 */
export function reduceLines(text: string): string[] {
  const bare = mapProse(text.replace(invisible, ''), (prose) => prose.replace(markup, reduce))
  const lines = bare.split('\n').map((line) => (readFenceMarker(line) === null ? line : ''))
  const words = lines.join('\n').replace(/[^\p{L}\p{N}\n\0]+/gu, ' ')
  return words.split('\n').map((line) => line.trim())
}

function reduce(written: string): string {
  if (!written.startsWith('<') || !written.includes('=')) return blank(written)
  return written.replace(attribute, (whole, name?: string, double?: string, single?: string, template?: string) => {
    const value = double ?? single ?? template
    const isText = name !== undefined && value !== undefined && textAttributes.has(name.toLowerCase())
    return isText ? `${attributeMark}${value}${attributeMark}` : blank(whole)
  })
}

/** Keeps the line breaks. */
const blank = (written: string) => (written.includes('\n') ? written.replace(/[^\n]+/g, ' ') : ' ')
