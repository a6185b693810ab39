/** Characters that readers do not see, within words. */
export const invisible = /&shy;|[\u00AD\u200B-\u200D\u2060\uFEFF]/g

/**
 * What of Markdown is not words: comments, tags, targets of links, references, attribute lists, character references,
 * the numbers of list items and steps, and the labels of callouts. Bounded, so that the time is linear.
 */
const markup =
  /<!--[^<]{0,5000}?-->|\{\/\*[^{]{0,5000}?\*\/\}|(?<!\\)<\/?[A-Za-z][\w.-]{0,100}(?:\s[^<>]{0,2000})?\/?>|\]\((?:[^()\n]|\([^()\n]*\)){0,2000}\)|\]\[[^\][]{0,200}\]|\{:?[ \t]{0,20}[#.][\w-][^{}\n]{0,200}\}|&(?:#\w{1,8}|[A-Za-z]\w{1,30});|(?<=^[ \t>]{0,50}(?:[-*+][ \t]{1,10})?(?:\*\*)?)\d{1,9}[.)](?=[ \t])|^[ \t>]{0,50}\*\*[^*\n:]{1,60}:/gm

/** The words of Markdown as it is written: letters and digits of any script, in their case, between single spaces. */
function listWords(markdown: string): string {
  const words = markdown.replace(invisible, '').replace(/[^\p{L}\p{N}]+/gu, ' ')
  return words.trim()
}

/** The words of Markdown without its `markup`. */
export function normalizeWords(markdown: string): string {
  return listWords(markdown.replace(invisible, '').replace(markup, ' '))
}

/**
 * Whether some lines of a file contain a quote: its words, with or without markup, are a contiguous run of those of
 * the lines, with or without markup. Code is quoted with its tags; titles of components are within tags.
 *
 * Every check of a citation applies this rule; receipts repeat it in `git/verify-receipt.mjs`. Pure, linear time.
 */
export function holdsQuote(lines: string, quote: string): boolean {
  const rules = [normalizeWords, listWords]
  const quoted = rules.map((rule) => rule(quote)).filter((words) => words !== '')
  return rules.some((rule) => quoted.some((words) => ` ${rule(lines)} `.includes(` ${words} `)))
}
