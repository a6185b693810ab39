/** An instruction with every quoted text replaced by `⟦n⟧`, so that patterns match only its own words. */
export interface InstructionWords {
  /** On one line, without leading polite phrases and trailing punctuation. */
  text: string
  /** The content of quotes, code spans and code blocks, by number. */
  values: readonly string[]
}

/** Code blocks before code spans and quotes; a single quote inside a word is an apostrophe. */
const quotes =
  /(?<fence>`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\k<fence>[`~]*|"([^"\n]+)"|“([^”\n]+)”|«\s?([^»\n]+?)\s?»|„([^“”\n]+)[“”]|`([^`\n]+)`|(?<![\p{L}\p{N}])['‘]([^'’\n]+)['’](?![\p{L}\p{N}])/gu

const politeness =
  /^(?:hi|hello|hey)[,!.]?\s+|^(?:please|kindly)[,]?\s+|^(?:can|could|would|will) you\s+(?:please\s+)?/i

export function readWords(instruction: string): InstructionWords {
  const values: string[] = []
  const marked = instruction.replaceAll(/[⟦⟧]/g, '').replace(quotes, (...args: unknown[]) => {
    // The groups are between the match and the offset. One of them is the text, and a block may be empty.
    const groups = args.slice(2, 9)
    const found = groups.find((group) => typeof group === 'string')
    values.push(typeof found === 'string' ? found : '')
    return `⟦${values.length - 1}⟧`
  })
  let text = marked.replaceAll(/\s+/g, ' ').trim()
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(politeness, '')
  }
  return { text: text.replace(/[\s.!?]+$/, '').replace(/,?\s+(?:please|thanks|thank you)$/i, ''), values }
}

/** The value of a matched word: the text of a quote, or the word itself. */
export function valueOf({ values }: InstructionWords, word: string): string {
  const number = /^⟦(\d+)⟧$/.exec(word)?.[1]
  return number === undefined ? word : (values[Number(number)] ?? '')
}

/** Parts of patterns. A text: quoted, or one word. A page: quoted, or one word that looks like a path or a name. */
export const textWord = String.raw`(⟦\d+⟧|[^\s⟦⟧,]+)`
export const quotedWord = String.raw`(⟦\d+⟧)`
const pageWord = String.raw`(?:⟦\d+⟧|/?[\p{L}\p{N}_][\p{L}\p{N}_./@-]*|/)`
export const onePage = `(${pageWord})`
export const pageList = `(${pageWord}(?:(?:,| and|, and) ${pageWord})*)`

export function instructionPattern(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`, 'iu')
}

/** The pages of a list such as `a, b and c`. */
export function readPageList(words: InstructionWords, list: string): string[] {
  return list.split(/,? and |, ?/i).map((word) => valueOf(words, word.trim()))
}
