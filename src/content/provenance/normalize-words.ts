/**
 * What of Markdown is not words: comments, tags, targets of links, references, attribute lists, character references
 * and the numbers of list items. Each alternative ends at the first character that begins another one, so that the time
 * is linear.
 */
const markup =
  /<!--[^<]{0,5000}?-->|\{\/\*[^{]{0,5000}?\*\/\}|(?<!\\)<\/?[A-Za-z][\w.-]{0,100}(?:\s[^<>]{0,2000})?\/?>|\]\((?:[^()\n]|\([^()\n]*\)){0,2000}\)|\]\[[^\][\n]{0,200}\]|\{:?[ \t]{0,20}[#.][\w-][^{}\n]{0,200}\}|&(?:#\w{1,8}|[A-Za-z]\w{1,30});|(?<=^[ \t>]{0,50}(?:[-*+][ \t]{1,10})?)\d{1,9}[.)](?=[ \t])/gm

const keepBreaks = (written: string) => (written.includes('\n') ? written.replace(/[^\n]+/g, ' ') : ' ')

/**
 * Reduces Markdown to its words, separated by single spaces. A quote stands in lines of a file if its words so reduced
 * are part of those of the lines: whoever checks a citation applies this rule to both.
 *
 * The rule: remove `markup`; what remains of letters and digits, of any script and in their case, are words; everything
 * else separates them. Pure, linear time.
 */
export function normalizeWords(text: string): string {
  return normalizeLines(text).filter(Boolean).join(' ')
}

/** The words of each line, which need not be those of the line alone: markup may extend over several lines. */
export function normalizeLines(text: string): string[] {
  const words = text.replace(markup, keepBreaks).replace(/[^\p{L}\p{N}\n]+/gu, ' ')
  return words.split('\n').map((line) => line.trim())
}
