import { stemEnglish } from './stem-english.ts'

/** Verbs with a particle that as nouns are one word: someone who asks for a backup means the page on how to back up. */
const phrasal =
  'back up, clean up, fail over, fall back, log in, log out, opt in, opt out, pop up, roll back, roll out, shut down, sign in, sign out, sign up, time out, work around'
/** Nouns that are written together as often as apart. */
const compounds =
  'change log, code base, data base, data set, end point, file name, host name, mail box, name space, run time, side bar, time stamp, time zone, tool tip, user name, web hook, white space, work flow, work space'

type Joined = ReadonlyMap<string, ReadonlyMap<string, string>>

/** By the stems of both words. */
const readPairs = (pairs: string): Joined => {
  const joined = new Map<string, Map<string, string>>()
  for (const [first = '', second = ''] of pairs.split(', ').map((pair) => pair.split(' '))) {
    const seconds = joined.get(stemEnglish(first)) ?? new Map<string, string>()
    joined.set(stemEnglish(first), seconds.set(stemEnglish(second), stemEnglish(first + second)))
  }
  return joined
}

const phrasalPairs = readPairs(phrasal)
const allPairs = readPairs(`${phrasal}, ${compounds}`)

/** The term of two words of an English text that are also written as one, by their stems; undefined if they are not. */
export function joinStems(first: string, second: string): string | undefined {
  return allPairs.get(first)?.get(second)
}

/** Likewise for a verb with its particle, neither of which says anything alone. */
export function joinPhrasal(first: string, second: string): string | undefined {
  return phrasalPairs.get(first)?.get(second)
}
