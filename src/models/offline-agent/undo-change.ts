import type { AgentProgram } from './agent-program.ts'
import { findNamedPages } from './edit-pages.ts'
import { callOne, readField, refuseProgram, textOf } from './find-page.ts'

/** Takes back what the last round changed. @param names Only on these pages; null for everything. */
export function* undoChange(names: readonly string[] | null): AgentProgram {
  const paths = names === null ? [] : yield* findNamedPages(names)
  if (typeof paths === 'string') return refuseProgram(paths)
  const undone = yield* callOne('undo', names === null ? {} : { paths })
  if (!undone.isOk) return refuseProgram(undone.message)
  const files = readField(undone.output, 'files')
  const title = textOf(undone.output, 'undone')
  if (!Array.isArray(files) || files.length === 0)
    return refuseProgram(`There is nothing left of “${title}” to take back.`)
  const where = files.length > 5 ? `${files.length} files` : files.map(String).join(', ')
  return { title: `Undo “${title}”`, summary: `Took back “${title}” in ${where}, as asked.` }
}
