const linkTarget = /\]\([^()\s]*(?:\s+"[^"]*")?\)/g
const signs: readonly [RegExp, string][] = [
  [/\|/g, ' '],
  [/[\\`*_[\]<>~]|!(?=\[)/g, ''],
  [/[\u2018\u2019]/g, "'"],
  [/[\u201c\u201d]/g, '"'],
  [/[\u2013\u2014]|(?<!-)--(?=\s)/g, '-'],
  [/\u2026/g, '...'],
  [/\s+/g, ' '],
  // Scripts without spaces have line breaks nonetheless.
  [/(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{P}]) (?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/gu, ''],
]

/** A text as it reads, whatever its markup, line breaks, typography and case, so that reformatted texts are equal. */
export function foldText(markdown: string): string {
  const plain = markdown.replace(linkTarget, ']')
  return signs
    .reduce((text, [pattern, sign]) => text.replace(pattern, sign), plain)
    .toLowerCase()
    .trim()
}
