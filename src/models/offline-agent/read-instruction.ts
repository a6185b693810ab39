import { readAddPage } from './add-page.ts'
import type { AgentProgram } from './agent-program.ts'
import { readDeletePage, readMovePage } from './change-pages.ts'
import { readFixLinks } from './fix-links.ts'
import { type InstructionWords, readWords } from './instruction-words.ts'
import { readReplaceText } from './replace-text.ts'
import { readSetFrontmatter } from './set-frontmatter.ts'

type InstructionReader = (words: InstructionWords) => AgentProgram | null

/** In the order in which they are tried, most specific first. */
const readers: readonly InstructionReader[] = [
  readFixLinks,
  readAddPage,
  readDeletePage,
  readSetFrontmatter,
  readReplaceText,
  readMovePage,
]

/** The program of a literal instruction, or null. */
export function readInstruction(instruction: string): AgentProgram | null {
  const words = readWords(instruction)
  for (const read of readers) {
    const program = read(words)
    if (program !== null) return program
  }
  return null
}
