import { getLanguageAnalysis } from '../../base/text-analysis/language-analysis.ts'

/** A question about the page that the reader is on. */
export interface PageReference {
  /** What is asked about it; empty for a summary. */
  subject: string
}

const questionCharsMax = 400

/** The page in the words of several languages. */
const page = new RegExp(
  [
    String.raw`\b(?:this|(?:the )?current|the present) (?:web ?page|page|article|guide|tutorial|doc(?:ument)?)\b(?! views?\b)`,
    String.raw`\bthe (?:page|article|guide) (?:that )?I(?:['’]m| am) (?:currently )?(?:on|at|in|reading|viewing|looking at|seeing)\b`,
    String.raw`(?<=\b(?:summari[sz]e|sum up|recap|explain) )the (?:page|article|guide|tutorial)\b`,
    String.raw`(?<=\b(?:covered|described|discussed|documented|explained|listed|mentioned|shown) )here\b`,
    String.raw`\b(?:diese[rnms]?|aktuelle[rn]?) (?:seite|artikels?|anleitung)\b`,
    String.raw`\b(?:de |dans |sur )?(?:cette page|cet article)(?!\p{L})`,
    String.raw`\b(?:de |en )?(?:esta página|esta pagina|este artículo|este articulo)(?!\p{L})`,
    String.raw`\b(?:esta|desta|nesta) p[áa]gina(?!\p{L})|\b(?:este|deste|neste) artigo\b`,
    String.raw`\b(?:di |in )?(?:questa pagina|quest['’]articolo)\b`,
    String.raw`\b(?:deze pagina|dit artikel)\b`,
    String.raw`\b(?:den här sidan|denna sida|denne siden|denne side)\b`,
    String.raw`(?<!\p{L})эт(?:а|у|ой) (?:страниц\p{L}*|стать\p{L}*)`,
    String.raw`この(?:ページ|記事|文書)|本ページ`,
    String.raw`(?:这|本|此|当前|這|當前)(?:个|個|一|篇)?(?:页面|网页|頁面|網頁|页|頁|文章|文档|文件)`,
    String.raw`(?:이|현재) ?(?:페이지|문서|글)`,
  ].join('|'),
  'iu',
)

/** What a page does with a subject, and what a reader wants done with the page. */
const verbs = new RegExp(
  [
    String.raw`\b(?:summari[sz]\w+|tl;?\s?dr|explain(?:s|ed)?|describe[sd]?|discuss(?:es|ed)?|documented|tell|says?|said|covers?|covered|mentions?|mentioned|talks?|teach|state|shown?|listed|according to)\b`,
    String.raw`(?<!\p{L})(?:fasse?|zusammen\p{L}*|worum|geht|erklär\p{L}*|steht|sagt|über|bitte|r[ée]sum\p{L}*|riassu\p{L}*|expli[qc]\p{L}*|expl[ií]ca\p{L}*|spiega\p{L}*|dit|dice|diz|parle|trata|fala|parla|sobre|sur|por favor|samenvat\p{L}*|vat|samen|uitleg\p{L}*|gaat|over)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:резюм\p{L}*|кратко\p{L}*|суммир\p{L}*|перескаж\p{L}*|объясни\p{L}*|говорит\p{L}*|рассказ\p{L}*|написано)(?!\p{L})`,
    String.raw`を?(?:要約|まとめ|説明)(?:して)?(?:ください)?|について|(?:に|で)?は?(?:何が|何を)?(?:書かれて|書いて)(?:います|ある|いる)か?|ください|教えて`,
    String.raw`(?:总结|總結|概括|摘要|概述|讲|說|说|写|解释|介绍)(?:了|一下)?(?:什么|甚麼)?|关于|請|请|帮我|一下`,
    String.raw`요약\S*|설명\S*|뭐라고|대해\S*|해\s?줘`,
  ].join('|'),
  'giu',
)
/** Words that make no subject. */
const fillers = new RegExp(
  [
    String.raw`\bin (?:(?:a few|one|two|three|five|\d+|simple|plain|short|other) (?:words?|sentences?|paragraphs?|bullets?|bullet points?|lines?|terms|english)|a nutshell|short|brief)\b`,
    String.raw`\bas (?:a )?(?:list|bullets|bullet points)\b|\b(?:briefly|concisely|shortly|quickly|simply)\b`,
    String.raw`\b(?:please|give|need|want|get|short|brief|quick|sum|up|summary|summaries|overview|recap|gist|outline|main|key|points?|takeaways?|contents?|learn|read|reading|anything|something|really|exactly)\b`,
    String.raw`(?<!\p{L})(?:was|auf|es|inhalt|quoi|que|qué|cosa|su|de|di|do|o|en|in|чём|чем|что|на|об?|про)(?!\p{L})`,
    String.raw`[をはのにで]|何(?:です)?か?|的|内容|是|什么|무엇\S*|을|를|은|는|좀`,
  ].join('|'),
  'giu',
)

/** A request for a summary that names nothing, which can only mean the page. */
const bareSummary =
  /^\W*(?:(?:please|can you|could you|give me(?: an?| the)?|the)\W+)*(?:tl;?\s?dr|(?:summari[sz]e|sum up|explain|recap)(?: this| it| that)?|(?:(?:short|quick|brief) )?(?:summary|overview|gist|recap)(?: of (?:this|it|that))?|(?:what are the )?(?:main|key) (?:points?|takeaways?)(?: of (?:this|it|that))?|what(?:['’]s| is) (?:this|it) about)(?: (?:for|to) me)?\W*(?:please|pls|plz)?\W*$/i
/** A question about how to change a page is not a question about its content. */
const howTo = /^\W*(?:how (?:do|can|could|to|should|would)|(?:can|could|may) i)\b/i

/**
 * Whether a question points at the reader's page, and what it asks about it. Null if it does not.
 *
 * @param hasSelection Something is selected on the page, which "this" then means.
 */
export function readPageReference(question: string, hasSelection = false): PageReference | null {
  const text = question.slice(0, questionCharsMax)
  if (bareSummary.test(text)) return hasSelection ? null : { subject: '' }
  const found = page.exec(text)
  if (found === null) return null
  if (howTo.test(text.slice(0, found.index))) return null
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
  const subject = trim(rest.replace(verbs, ' '))
  return { subject: hasWords(trim(subject.replace(fillers, ' '))) ? subject : '' }
}

const trim = (text: string): string => text.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '').replace(/\s+/g, ' ')

/** English function words alone are no subject. */
function hasWords(text: string): boolean {
  const { stopWords } = getLanguageAnalysis('en')
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.some((word) => !stopWords.has(word) && (word.length > 1 || /\p{sc=Han}/u.test(word)))
}
