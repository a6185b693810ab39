/**
 * Whether a word of a question is a name. Capitals mean nothing at the start of a sentence, in a title, and in German, where every noun has one.
 */
export function isProperName(surface: string, question: string, language: string | null): boolean {
  if (/\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}|\p{Lu}{2}/u.test(surface)) return true
  // Without a vowel it is an abbreviation, as `zstd` and `ssh` are.
  if (/^[b-df-hj-np-tv-xz]{3,}$/i.test(surface)) return true
  if (!/^\p{Lu}/u.test(surface) || language === 'de' || isTitleCase(question)) return false
  const before = question.slice(0, question.indexOf(surface)).trimEnd()
  return before !== '' && !/[.!?:]["'”’)]?$/.test(before)
}

function isTitleCase(question: string): boolean {
  // The first word is capitalized in any sentence.
  const words = (question.match(/\p{L}+/gu) ?? []).slice(1)
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2
}
