import { instructionForms } from './instruction-forms.ts'
import { markWords } from './read-clauses.ts'

const examplesMax = 3

/** The examples of instructions that share the most words with one that was not understood. */
export function findExamples(instruction: string): string[] {
  const wanted = listWords(instruction)
  const scored = instructionForms.map(({ example }) => {
    const words = listWords(example)
    return { example, score: [...words].filter((word) => wanted.has(word)).length / Math.sqrt(words.size) }
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, examplesMax)
    .map(({ example }) => example)
}

/** The known words of all languages. */
function listWords(instruction: string): Set<string> {
  return new Set(markWords(instruction).match(/§[A-Z]+(?::\w+)?/g))
}
