/** Idioms whose words mislead a search, and what documentation calls the same. English only. */
const idioms: readonly (readonly [RegExp, string])[] = [
  [/\bout of the box\b/giu, 'by default'],
  [/\bif (?:i|we|you|one) (?:change|set|configure|specify|choose|do|say) nothing\b/giu, 'by default'],
  [/\bif (?:i|we|you) (?:do not|don['’]t) (?:change|set|configure|specify|choose|do|say) anything\b/giu, 'by default'],
  [/\b(?:turn|switch)(?:s|es|ed|ing)? off\b/giu, 'disable'],
  [/\b(?:turn|switch)(?:s|es|ed|ing)? on\b/giu, 'enable'],
  [/\b(?:turn|switch)(?:s|es|ed|ing)?((?: \S+){1,3}) off(?=\W*$|[.,;?!])/giu, 'disable$1'],
  [/\b(?:turn|switch)(?:s|es|ed|ing)?((?: \S+){1,3}) on(?=\W*$|[.,;?!])/giu, 'enable$1'],
  [/\b(?:get|gets|got|getting) rid of\b/giu, 'remove'],
  [/\b(?:take|throw)s?((?: \S+){1,4}) away(?: again)?\b/giu, 'remove$1'],
  [/\b(?:throw|throws|thrown) away\b/giu, 'remove'],
  [/\bat (?:the same time|once)\b|\bside by side\b/giu, 'concurrently'],
  [/\bby hand\b/giu, 'manually'],
  [/\b(?:right|straight) away\b/giu, 'immediately'],
  [/\bfor good\b/giu, 'permanently'],
  [/\bhow (?:big|large) (?:may|can|could)\b/giu, 'maximum size'],
  [/\bhow (?:many|much)(?=(?: \S+){0,3} (?:may|can|could)\b)/giu, 'maximum'],
  [/\bhow (?:many|much)\b/giu, 'how'],
  [/\b(?:take|do|perform) an? (?=\p{L}+(?:\W*$|[.,;?!]| (?:of|for|from|before|after|every)\b))/giu, ''],
]

/** The text with its idioms replaced, so that `turn off` finds `disable`, and `out of the box` no boxes. */
export function sayPlainly(text: string): string {
  return idioms.reduce((plain, [idiom, term]) => plain.replace(idiom, term), text)
}
