const words = 'The dashboard shows a new key once, and stores only its hash, so that nobody reads it'.split(' ')
const ends = ['later.', 'again.', 'by chance.']

/** Pieces of an answer, each a word as of most models: sentences that are held against the passages, without numbers. */
export function writePieces(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const sentence = Math.floor(index / (words.length + 1))
    const word = words[index % (words.length + 1)]
    return word === undefined ? `${ends[sentence % ends.length]}${sentence % 3 === 2 ? '\n\n' : ' '}` : `${word} `
  })
}
