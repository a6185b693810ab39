/** What English stemming takes off a word; a stem is compared with a word as typed, whose end may be mistyped too. */
const suffixes =
  `s es ed d ing ings er ers or ors ion ions ation ations ition itions ment ments able ible ity ities ly al ally ive ness ance
  ence ances ences ant ent ancy ency y ies ied ier e ize izes ized izer izing ization ise ised ising isation ate ates ated ating
  ator ators ative atively ful less ic ics ical ication ications ism ist ous ously`.split(/\s+/)
/** Shorter endings differ from one another by one letter. */
const mistypedSuffixCharsMin = 4
const suffixCharsMax = 10
/** The most frequent short one, with a letter lost, swapped or doubled. */
const mistypedIng = /^(?:ng|nig|ign|iing|inng|ingg)$/

/** Keys beside each other on QWERTY keyboards. */
const keyRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
/** Letters that sound alike. */
/** A shorter word with another letter is another word: `nuxt` is not `next`. */
const replacedCharsMin = 5
const soundsAlike = ['aeiou', 'iy', 'ck', 'cs', 'sz']

/** How many errors the end of a word needs to be an ending of English, by where it starts; Infinity if more than one. */
export function measureEndings(word: string): number[] {
  return Array.from({ length: word.length + 1 }, (_, start) => {
    const end = word.slice(start)
    if (end === '' || suffixes.includes(end)) return 0
    if (mistypedIng.test(end)) return 1
    if (end.length < mistypedSuffixCharsMin - 1 || end.length > suffixCharsMax) return Infinity
    const long = suffixes.filter(({ length }) => length >= mistypedSuffixCharsMin)
    return long.some((suffix) => measureDistance(end, suffix, 1).at(-1) === 1) ? 1 : Infinity
  })
}

/**
 * How many errors turn a term into a typed word, both lower case: letters lost, doubled or added, swapped, or replaced by one
 * that lies beside it or sounds like it. Other letters make another word.
 *
 * @param endings See `measureEndings`; for a typed stem, only its whole length may be 0.
 * @returns Infinity beyond `errorsMax`.
 */
export function measureMisspelling(word: string, term: string, endings: readonly number[], errorsMax: number): number {
  const distances = measureDistance(word, term, errorsMax)
  const errors = distances.map((distance, length) => distance + (endings[length] ?? Infinity))
  const least = Math.min(...errors)
  return least <= errorsMax ? least : Infinity
}

/** Optimal string alignment of every beginning of `word`, by its length, with `term`; Infinity where it is too far. */
function measureDistance(word: string, term: string, errorsMax: number): number[] {
  const canReplace = word.length >= replacedCharsMin
  const ends: number[] = [term.length]
  let beforePrevious: number[] = []
  let previous = Array.from({ length: term.length + 1 }, (_, column) => column)
  for (let row = 1; row <= word.length && Math.min(...previous) <= errorsMax; row++) {
    const current = [row]
    for (let column = 1; column <= term.length; column++) {
      const [typed, meant] = [word[row - 1] ?? '', term[column - 1] ?? '']
      // The stem of `empty` is `empti`.
      const isStemmed = typed === 'y' && meant === 'i' && column === term.length
      const isSwap = row > 1 && column > 1 && typed === term[column - 2] && word[row - 2] === meant
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) +
            (typed === meant || (isStemmed && row === word.length) ? 0 : canReplace ? costOf(typed, meant) : Infinity),
          isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    ends.push(current[term.length] ?? Infinity)
    beforePrevious = previous
    previous = current
  }
  return ends
}

const costOf = (typed: string, meant: string): number => (confusable.has(typed + meant) ? 1 : Infinity)

const confusable = listConfusable()

function listConfusable(): ReadonlySet<string> {
  const beside = keyRows.flatMap((row) =>
    row
      .split('')
      .slice(1)
      .map((key, index) => `${row[index]}${key}`),
  )
  const groups = [...beside, ...soundsAlike]
  return new Set(groups.flatMap((group) => pairLetters(group.split(''))))
}

function pairLetters(letters: readonly string[]): string[] {
  return letters.flatMap((one) => letters.map((other) => one + other))
}
