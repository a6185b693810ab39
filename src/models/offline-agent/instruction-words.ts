/** An instruction with every quoted text replaced by `⟦n⟧`, so that patterns match only its own words. */
export interface InstructionWords {
  /** On one line, without leading polite phrases and trailing punctuation. Lines of a list end with semicolons. */
  text: string
  /** The content of quotes, code spans and code blocks, by number. */
  values: readonly string[]
}

/** Code blocks before code spans and quotes; a single quote inside a word is an apostrophe. */
const quotes =
  /(?<fence>`{3,}(?=[^`\n]*\n)|(?<!~)~{3,}(?!~))[^\n]*\n([\s\S]*?)\n?[ \t]*\k<fence>[`~]*|"([^"\n]+)"|“([^”\n]+)”|«\s?([^»\n]+?)\s?»|„([^“”\n]+)[“”]|`([^`\n]+)`|(?<![\p{L}\p{N}])['‘]([^'’\n]+)['’](?![\p{L}\p{N}])/gu

const politeness =
  /^(?:hi|hello|hey)[,!.]?\s+|^(?:please|kindly)[,]?\s+|^(?:can|could|would|will) you\s+(?:please\s+)?|^(?:please )?do (?:the following|(?:these )?(?:two|three|four|\d)? ?things)[:,]\s*|^first(?:ly)?(?:, | (?=(?:delete|remove|drop|rename|move|add|replace|change|set|put|redirect)\b))/iu

/** `s/old/new/`, as editors of streams take it. */
const substitution = /(?<!\S)s([/|#])([^/|#\n"]+)\1([^/|#\n"]+)\1g?(?!\S)/g
/** Amounts, with what they count, and words whose change needs no quotes. */
const amount = String.raw`(?:[$€£]\s?\d|\d[\d.,]{0,20}\s?[^\s\d"“”⟦,;.])[^"“”⟦\n,;]{0,40}?`
const unquoted: readonly (readonly [wording: RegExp, usual: string])[] = [
  [
    new RegExp(
      `(?<=^|, )(${amount}) (?:should|must|has to|needs to|ought to) (?:now )?(?:be|read|say|become) (?!.*\\b(?:or|long|wide|high|deep|everywhere|each)\\b)(${amount})(?=[.;]?\\s*$|[.;] | (?:in|on) )`,
      'gi',
    ),
    'change "$1" to "$2"',
  ],
  // Of two paths, one may be redirected or moved to the other.
  [/^(rename|move|redirect|change) (?!.*\bto\b)([^"“⟦\n]{1,200}?) (?:→|->|=>) (?=\S)/i, '$1 $2 to '],
  [
    /^(?!(?:re)?(?:move|name|direct|place)\b|(?:change|delete|add|set|put)\b|.* (?:→|->|=>) \S*\/)([^\s"“⟦]{3,}(?: [^\s"“⟦]+){0,3}) (?:→|->|=>) ([^\s"“⟦]+(?: [^\s"“⟦]+){0,3}?)(?=[.;]?$| (?:in|on) )/i,
    'replace "$1" by "$2"',
  ],
]
/** Why something is to be done: `We no longer sell it, so …`, `We have a new name: …`. */
const reason = /^(?:[^⟦,;.\n]{3,120}, so|we [^⟦:;.\n]{3,120}:) (?:please )?(?=\S)/i

/** A counted part by its number: `step 2`. */
const numbered =
  /(?<!\p{L})(?:l['’])?(?<what>(?:list )?item|bullet(?: point)?|(?:table )?row|step|paragraph|sentence|section|schritt|punkt|absatz|satz|zeile|abschnitt|étape|puce|paragraphe|phrase|paso|viñeta|punto|párrafo|frase|fila) (?:number |no\. ?|nr\. ?|numéro |número |#)?(?<nth>[1-6])(?= |$|[,.;])/giu
const ordinals = {
  en: ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'],
  de: ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften', 'sechsten'],
  fr: ['premier', 'deuxième', 'troisième', 'quatrième', 'cinquième', 'sixième'],
  es: ['primer', 'segundo', 'tercer', 'cuarto', 'quinto', 'sexto'],
}

function spellOrdinal(what: string, nth: number): string {
  const language = /^(?:schritt|punkt|absatz|satz|zeile|abschnitt)$/i.test(what)
    ? 'de'
    : /^(?:étape|puce|paragraphe|phrase)$/i.test(what)
      ? 'fr'
      : /^(?:paso|viñeta|punto|párrafo|frase|fila)$/i.test(what)
        ? 'es'
        : 'en'
  return `${ordinals[language][nth - 1] ?? ''} ${what}`
}

/** Wordings with separated parts, as the one that the forms know. */
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
    /^there(?: is|['’]s) an? (?:typo|mistake|error|misspelling) ((?:in|on) .{1,80}?): ?(⟦\d+⟧) (?:should|must) (?:be|read|say) (⟦\d+⟧)$/i,
    'replace $2 by $3 $1',
  ],
  [
    /((?:navigation|nav|sidebar|menu)),? but (?:keep|do not delete|don['’]t delete) (?:it|the page|the file)(?: itself)?$/i,
    '$1',
  ],
  [/\b(?:the )?[^⟦,.;]{1,60} should (?:be|say|read) (⟦\d+⟧) instead of (⟦\d+⟧)/gi, 'replace $2 by $1'],
  [/^(?:on |in )?the ([^⟦,.;:]{1,40} page): /i, 'on the $1, '],
  [
    /\bfind (?:the )?(section [^,.;]{1,60}?|[^,.;]{1,60}? section),? and (delete|remove|drop) its ([^⟦,.;]{1,40})(?=[,.;]|$)/gi,
    '$2 the $3 of the $1',
  ],
  // Why.
  [
    /, (?:because|since|as|we) (?!.*\b(?:and|then|but|should|must|redirect|add|replace|move|delete|remove)\b)[^⟦〔]{3,100}$/i,
    '',
  ],
  [/^((?:on|in) (?!every|all|each)[^,⟦]{1,80}?,? .*⟦\d+⟧) everywhere$/i, '$1'],
  [
    /^(?:in|on) (?:the )?(?!.*\b(?:page|section|table|list|sidebar|navigation|menu|docs|site|file|chapter|heading|guide|article|document)\b)([\p{L}\p{N}' -]{3,60}), (?=\S)/iu,
    'on the $1 page, ',
  ],
  [/ and its (title|description|icon) to (?=⟦)/gi, ' and set the $1 of it to '],
  [/\beverywhere (?=(?:on|in) (?!every|all|each))/gi, ''],
  [/\bretitle (?:the )?(?:page )?(\S{1,200})(?: page)? (?:to|as) /gi, 'set the title of page $1 to '],
  [/\b(?:and )?list (it|that page) under (?:the )?/gi, 'and add $1 to the navigation under '],
  [/^((?:bitte )?füge? .*⟦\d+⟧) an$/i, '$1 hinzu'],
  [/^((?:bitte )?lege? .*) an$/i, '$1'],
  [
    /^(?:find|look for|check for|search for) (?:all |the |any )?((?:broken|dead) links?.*?),? and (?:fix|repair) (?:them|it)/i,
    'fix $1',
  ],
  [
    // Of several subjects, each could be a page, and "on" may say where.
    /(?<!\b(?:every|each|any|all|this) )\b(?:page|guide|article) (?:about|on|describing) (?!(?:the )?(?:site|website|top|left|right|docs)\b)(?:the )?((?:(?! and )[^⟦,.;]){1,40}?)(?= and (?:redirect|send|remove|delete|add|move|rename|set|take|put|point|list|replace|change|create)\b| (?:to|with|from|in)\b|[,.;]|$)/gi,
    '$1 page',
  ],
  [/\bsection (?:about|on|describing) (?:the )?([^⟦,.;]{1,40}?)(?= (?:from|in|of)\b)/g, 'section $1'],
  [
    /^(append|add|write) (?:this|the following)(?: (?:text|sentence|line|paragraph))? (to .{1,80}?): ?(⟦\d+⟧)$/i,
    '$1 $3 $2',
  ],
  [
    /^(?:don['’]t|do not|stop) (?:show(?:ing)?|list(?:ing)?) (.{1,80}?) in (?:the )?(sidebar|navigation|menu|nav)(?: any ?(?:more|longer))?$/i,
    'remove $1 from the $2',
  ],
  [
    /^(?:the )?([^⟦,.;]{1,40}?)(?: page)? needs an? (?:new )?(title|description):? (?=⟦)/i,
    'set the $2 of the $1 page to ',
  ],
  [/^(delete|remove|drop) (?:the )?(⟦\d+⟧) question\b/i, '$1 the $2 section'],
  [/\bsoll(?:te)? (⟦\d+⟧) (?:heißen|lauten|sein)$/i, 'soll $1'],
  [/^create (?=[\p{L}\p{N}_-]+\/\S+ with )/iu, 'create the page '],
  [/^(?:put|place) (.{1,60}?) (?:in|into|under) (?:the )?(.{1,40}) (group|category)$/i, 'move $1 into the $2 $3'],
  [
    /^(?:we|you) (?:don['’]t|do not|no longer) (?:need|use|want|have) (?:the )?(\S{1,200}(?: page)?)(?: any ?(?:more|longer))?, (?:so )?(?:please )?(?:just )?(?:delete|remove|drop) it\b/i,
    'delete $1',
  ],
  [
    /\b(?:send|lead|take|point) (?:(?:its|the|all|any) )?(?:old )?(?:readers|visitors|traffic|users) to /gi,
    'redirect it to ',
  ],
  [
    /\b(?:old |existing )?(?:links?|visits?|requests?|traffic) (?:to|for) (\/\S{0,200}) (?:should|must|has to|have to) (?:now )?(?:go|lead|point|resolve|redirect) to /gi,
    'redirect $1 to ',
  ],
  [/\bmake (\/\S{0,200}) (?:redirect|forward|lead|point|go) to /gi, 'redirect $1 to '],
  [
    /^(?:put|place|list) (?=.{1,80} (?:before|after|above|below) .{1,80} (?:in|on) the (?:sidebar|navigation|menu|nav)$)/i,
    'move ',
  ],
]

export function readWords(instruction: string): InstructionWords {
  const values: string[] = []
  const asked = [[substitution, 'replace "$2" by "$3"'] as const, ...unquoted].reduce(
    (words, [wording, usual]) => words.replace(wording, usual),
    instruction,
  )
  const marked = quoteLastText(asked.replaceAll(/[⟦⟧〔〕§]/g, '')).replace(quotes, (...args: unknown[]) => {
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
  text = text.replace(numbered, (_, what: string, nth: string) => spellOrdinal(what, Number(nth)))
  for (const [wording, usual] of rewordings) text = text.replace(wording, usual)
  return { text: text.replace(/,?\s+(?:please|thanks|thank you)$/i, ''), values }
}

/** Further instructions may follow a text that has no quotes. */
const instructs =
  /(?:^|[.;!?\n] *|\b(?:and|then|also),? +)(?:please +)?(?:then|also|delete|remove|rename|move|add|put|redirect|list|link|replace|change|set|update|make|hide|create|insert|place)\b/i

/** The text of a new page or section may stand at the end without quotes: `… with the text: Ten a minute.` */
function quoteLastText(instruction: string): string {
  const [, head = '', body = ''] =
    /^((?:please )?(?:add|create|write|insert|append)\b[^\n]{1,200}? (?:with|and)(?: the| this)?(?: following)? (?:text|content|body|paragraph|sentence):)\s+(\S[\s\S]*)$/i.exec(
      instruction.trim(),
    ) ?? []
  // Quotes and blocks say themselves where they end.
  if (body === '' || /^["“«„'‘`~]/.test(body) || instructs.test(body) || /`{3}|~{3}/.test(body)) return instruction
  return `${head}\n\`\`\`\n${body}\n\`\`\``
}

/** Items of a list are instructions of their own; a text below its instruction belongs to it. */
function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim())
  const items = lines.filter((line) => line !== '').map((line) => line.replace(/^[-*•] |(?<=^|[.;:!?] )\d+[.)] /g, ''))
  return items.map((line, index) => (index === 0 ? '' : line.startsWith('⟦') ? ' ' : '; ') + line).join('')
}
