/** A sentence whose code spans, quoted words, flags and variables are marks, so that only its words are left to read. */
export interface MaskedText {
  text: string
  /** By the number in the mark. */
  spans: readonly string[]
}

const unitCharsMax = 4000
const sentenceCharsMax = 400
const spanned =
  /(`{1,2})([^`]{1,200})\1|["“]([^"”\s]{1,80})["”]|(?<![\w`/-])(--[a-z][\w-]{1,60}|[A-Z][A-Z\d]{1,30}(?:_[A-Z\d]+){1,10})(?![\w`/])/g

/** Masks inline Markdown and drops its emphasis and the targets of links. Linear. */
export function maskInline(markdown: string): MaskedText {
  const spans: string[] = []
  const masked = markdown
    .slice(0, unitCharsMax)
    .replace(/[⟦⟧]/g, '')
    .replace(spanned, (_, _tick: string, code?: string, quoted?: string, name?: string) => {
      spans.push((code ?? quoted ?? name ?? '').trim())
      return `⟦${spans.length - 1}⟧`
    })
  const text = masked
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/[*\\]|__|~~/g, '')
    .replace(/&nbsp;|\s+/g, ' ')
  return { text, spans }
}

/** Its sentences, which share the spans. Overlong ones are left out: nobody states a default in them. */
export function splitSentences({ text, spans }: MaskedText): MaskedText[] {
  return text
    .split(/(?<=[.!?;])\s+(?=[\p{Lu}⟦("'])|(?<=;)\s+(?=(?:it|its default|the default)\b)|\s+[•·]\s+/u)
    .filter((sentence) => sentence.length <= sentenceCharsMax)
    .map((sentence) => ({ text: sentence.trim(), spans }))
}

/** The numbers of the marks, in order, each span once. */
export function listMarks({ text, spans }: MaskedText): number[] {
  const seen = new Set<string>()
  return [...text.matchAll(/⟦(\d+)⟧/g)]
    .map(([, digits]) => Number(digits))
    .filter((index) => {
      const span = spans[index] ?? ''
      const isNew = !seen.has(span)
      seen.add(span)
      return isNew
    })
}
