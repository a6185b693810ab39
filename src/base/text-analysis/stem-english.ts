/**
 * The English (Porter2) stemmer of the Snowball project.
 *
 * Written here because the published packages either implement the older Porter algorithm, which gets `dying` and `news`
 * wrong, or build regular expressions on every call, which costs half of the indexing time.
 *
 * @see https://snowballstem.org/algorithms/english/stemmer.html
 */

const irregularStems = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
])
const invariantAfterPlural = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
])

/** Suffix and replacement, longest first: the first match decides even if its condition fails. */
const stepTwoSuffixes: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
]
const stepThreeSuffixes: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]
const stepFourSuffixes = 'ement able ance ence ible ment ant ate ent ion ism iti ive ize ous al er ic'.split(' ')
const doubleEndings = new Set(['bb', 'dd', 'ff', 'gg', 'mm', 'nn', 'pp', 'rr', 'tt'])

const hasVowel = (text: string) => /[aeiouy]/.test(text)
const endsInShortSyllable = (text: string) =>
  /[^aeiouy][aeiouy][^aeiouywxY]$/.test(text) || /^[aeiouy][^aeiouy]$/.test(text)

/** Start of the region after the first consonant that follows a vowel, searching from `start`. */
function findRegion(word: string, start: number): number {
  const match = /[aeiouy][^aeiouy]/.exec(word.slice(start))
  return match ? start + match.index + 2 : word.length
}

function findFirstRegion(word: string): number {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)
  return prefix ? prefix[0].length : findRegion(word, 0)
}

function removePlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  if (word.endsWith('us') || word.endsWith('ss') || !word.endsWith('s')) return word
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function removePastAndGerund(word: string, firstRegion: number): string {
  const kept = /eed(?:ly)?$/.exec(word)
  if (kept) return kept.index >= firstRegion ? `${word.slice(0, kept.index)}ee` : word
  const ending = /(?:ingly|edly|ing|ed)$/.exec(word)
  if (!ending || !hasVowel(word.slice(0, ending.index))) return word
  const stem = word.slice(0, ending.index)
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (doubleEndings.has(stem.slice(-2))) return stem.slice(0, -1)
  return firstRegion >= stem.length && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function replaceDerivations(word: string, firstRegion: number): string {
  for (const [suffix, replacement] of stepTwoSuffixes) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    return start >= firstRegion ? word.slice(0, start) + replacement : word
  }
  if (word.endsWith('logi')) return word.length - 3 >= firstRegion ? word.slice(0, -1) : word
  if (/[cdeghkmnrt]li$/.test(word) && word.length - 2 >= firstRegion) return word.slice(0, -2)
  return word
}

function removeAdjectives(word: string, firstRegion: number, secondRegion: number): string {
  if (word.endsWith('ative')) return word.length - 5 >= secondRegion ? word.slice(0, -5) : word
  for (const [suffix, replacement] of stepThreeSuffixes) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    return start >= firstRegion ? word.slice(0, start) + replacement : word
  }
  return word
}

function removeNounEndings(word: string, secondRegion: number): string {
  const suffix = stepFourSuffixes.find((candidate) => word.endsWith(candidate))
  if (suffix === undefined) return word
  const start = word.length - suffix.length
  if (start < secondRegion || (suffix === 'ion' && !/[st]ion$/.test(word))) return word
  return word.slice(0, start)
}

function removeFinalLetter(word: string, firstRegion: number, secondRegion: number): string {
  const last = word.length - 1
  if (word.endsWith('e')) {
    const isRemovable = last >= secondRegion || (last >= firstRegion && !endsInShortSyllable(word.slice(0, last)))
    return isRemovable ? word.slice(0, last) : word
  }
  return word.endsWith('ll') && last >= secondRegion ? word.slice(0, last) : word
}

/** @param lowerCased One lower-case word without apostrophes. */
export function stemEnglish(lowerCased: string): string {
  if (lowerCased.length < 3) return lowerCased
  const irregular = irregularStems.get(lowerCased)
  if (irregular !== undefined) return irregular
  // A consonantal y is marked by upper case, so that the vowel classes above need no context.
  let word = lowerCased.replace(/(^|[aeiouy])y/g, '$1Y')
  const firstRegion = findFirstRegion(word)
  const secondRegion = findRegion(word, firstRegion)
  word = removePlural(word)
  if (invariantAfterPlural.has(word)) return word
  word = removePastAndGerund(word, firstRegion)
  word = word.replace(/(.[^aeiouy])[yY]$/, '$1i')
  word = replaceDerivations(word, firstRegion)
  word = removeAdjectives(word, firstRegion, secondRegion)
  word = removeNounEndings(word, secondRegion)
  return removeFinalLetter(word, firstRegion, secondRegion).toLowerCase()
}
