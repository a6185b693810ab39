/** An instruction with every quoted text replaced by `⟦n⟧`, so that patterns match only its own words. */
export interface InstructionWords {
  /** On one line, without leading polite phrases and trailing punctuation. Lines of a list end with semicolons. */
  text: string
  /** The content of quotes, code spans and code blocks, by number. */
  values: readonly string[]
}

/** Code blocks before code spans and quotes; a single quote inside a word is an apostrophe. */
const quotes =
  /(?<fence>`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\k<fence>[`~]*|"([^"\n]+)"|“([^”\n]+)”|«\s?([^»\n]+?)\s?»|„([^“”\n]+)[“”]|`([^`\n]+)`|(?<![\p{L}\p{N}])['‘]([^'’\n]+)['’](?![\p{L}\p{N}])/gu

const politeness =
  /^(?:hi|hello|hey)[,!.]?\s+|^(?:please|kindly)[,]?\s+|^(?:can|could|would|will) you\s+(?:please\s+)?/i

/** `s/old/new/`, as editors of streams take it. */
const substitution = /(?<!\S)s([/|#])([^/|#\n"]+)\1([^/|#\n"]+)\1g?(?!\S)/g
/** Why something is to be done: `We no longer sell it, so …`. */
const reason = /^[^⟦,;.\n]{3,120}, so (?:please )?(?=\S)/i

/** Wordings whose parts stand apart, as the one that the forms know. */
const rewordings: readonly (readonly [wording: RegExp, usual: string])[] = [
  [
    /\bmake (.{1,80}?) (?:come|appear|go|stand|show up) (?=(?:right |directly |just )?(?:after|before|above|below|under)\b)/gi,
    'move $1 ',
  ],
  [
    /\b(?:any(?:one|body)|every(?:one|body)|people|readers|visitors|users|who(?:ever)?) (?:who )?(?:goes?|going|comes?|coming|visits?|visiting|opens?|opening|arrives? at|on)(?: to)? (\S{1,200}) (?:should|must|has to|have to) (?:land (?:on|at)|go to|end up (?:on|at)|get to|be sent to) /gi,
    'redirect $1 to ',
  ],
  [
    /((?:navigation|sidebar|menu)), but (?:keep|do not delete|don['’]t delete) (?:it|the page|the file)(?: itself)?$/i,
    '$1',
  ],
  [/\beverywhere (?=(?:on|in) (?!every|all|each))/gi, ''],
  [/\bretitle (?:the )?(?:page )?(\S{1,200})(?: page)? (?:to|as) /gi, 'set the title of page $1 to '],
  [/\b(?:and )?list (it|that page) under (?:the )?/gi, 'and add $1 to the navigation under '],
  [/^((?:bitte )?füge? .*⟦\d+⟧) an$/i, '$1 hinzu'],
]

export function readWords(instruction: string): InstructionWords {
  const values: string[] = []
  const asked = instruction.replaceAll(substitution, 'replace "$2" by "$3"')
  const marked = asked.replaceAll(/[⟦⟧〔〕§]/g, '').replace(quotes, (...args: unknown[]) => {
    // The groups are between the match and the offset. One of them is the text, and a block may be empty.
    const groups = args.slice(2, 9)
    const found = groups.find((group) => typeof group === 'string')
    values.push(typeof found === 'string' ? found : '')
    return `⟦${values.length - 1}⟧`
  })
  let text = joinLines(marked)
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(politeness, '').replace(reason, '')
  }
  text = text.replace(/(?<![\s.!?])[\s.!?]+$/, '')
  for (const [wording, usual] of rewordings) text = text.replace(wording, usual)
  return { text: text.replace(/,?\s+(?:please|thanks|thank you)$/i, ''), values }
}

/** Items of a list are instructions of their own; a text below its instruction belongs to it. */
function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim())
  const items = lines.filter((line) => line !== '').map((line) => line.replace(/^(?:[-*•]|\d+[.)]) /, ''))
  return items.map((line, index) => (index === 0 ? '' : line.startsWith('⟦') ? ' ' : '; ') + line).join('')
}
