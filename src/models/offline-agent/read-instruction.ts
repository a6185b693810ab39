import type { AgentProgram } from './agent-program.ts'
import { instructionForms } from './instruction-forms.ts'
import { type Clause, readClauses, readName } from './read-clauses.ts'

/** The programs of a literal instruction, in order; null if a part of it is not understood, so that nothing is half done. */
export function readInstruction(instruction: string): AgentProgram[] | null {
  const clauses = readClauses(instruction)
  if (clauses === null) return null
  const programs = clauses.map(readClause)
  return programs.includes(null) ? null : programs.filter((program) => program !== null)
}

function readClause(clause: Clause): AgentProgram | null {
  for (const { verbs, pattern, read } of instructionForms) {
    if (!verbs.includes(clause.verb)) continue
    const match = pattern.exec(clause.rest)
    if (match === null) continue
    const groups = match.groups ?? {}
    const program = read((group) => readName(groups[group] ?? '', clause.values), clause, groups)
    if (program !== null) return program
  }
  return null
}
