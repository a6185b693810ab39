import type { AgentProgram } from './agent-program.ts'
import { callOne, findPage, fieldOf, nothingDone } from './find-page.ts'
import { instructionPattern, type InstructionWords, onePage, valueOf } from './instruction-words.ts'

const thePage = '(?:the )?(?:page |file )?'
/** Phrases that people add although it is done anyway. */
const tail =
  '(?:,? (?:and|with|while|so that|but)?,? ?(?:keep(?:ing)?|fix(?:ing)?|updat(?:e|ing)|adjust(?:ing)?|mend(?:ing)?|all|its|the|every|links?|redirect(?:ing)?|remov(?:e|ing))\\b.*)?'

const moving = [
  instructionPattern(`(rename|move) ${thePage}${onePage} (?:to|into|as) (?:the )?(?:page |folder )?${onePage}${tail}`),
]
const deleting = instructionPattern(`(?:delete|remove|drop) (?:the )?(?:page|file) ${onePage}${tail}`)

/** `Rename page A to B`, `Delete page A`, and similar. */
export function readMovePage(words: InstructionWords): AgentProgram | null {
  for (const pattern of moving) {
    const match = pattern.exec(words.text)
    if (match === null) continue
    const [, verb = '', from = '', to = ''] = match
    return movePage(valueOf(words, from), valueOf(words, to), verb.toLowerCase() === 'rename')
  }
  return null
}

export function readDeletePage(words: InstructionWords): AgentProgram | null {
  const match = deleting.exec(words.text)
  return match === null ? null : deletePage(valueOf(words, match[1] ?? ''))
}

function* movePage(name: string, wanted: string, isRename: boolean): AgentProgram {
  const from = yield* findPage(name)
  if (from === null) return nothingDone(`There is no page “${name}”, or several have that name.`)
  const to = chooseTarget(from, wanted, isRename)
  const moved = yield* callOne('move', { from, to })
  if (!moved.isOk) return nothingDone(moved.message)
  const updated = fieldOf(moved.output, 'updated')
  const others = Array.isArray(updated) ? updated.map(String) : []
  const kept = others.length === 0 ? '' : ` Brought up to date with it: ${others.slice(0, 20).join(', ')}.`
  return { title: `Move ${from} to ${to}`, summary: `Moved ${from} to ${to}, as asked.${kept}` }
}

/** A bare name stays in its folder; a bare folder keeps the name. */
function chooseTarget(from: string, wanted: string, isRename: boolean): string {
  const extension = /\.mdx?$/i.exec(from)?.[0] ?? '.mdx'
  const slash = from.lastIndexOf('/')
  const bare = wanted.replaceAll(/^\.?\/+/g, '')
  if (bare === '' || bare.endsWith('/')) return bare + from.slice(slash + 1)
  const path = /\.mdx?$/i.test(bare) ? bare : bare + extension
  return isRename && !bare.includes('/') && !wanted.startsWith('/') ? from.slice(0, slash + 1) + path : path
}

function* deletePage(name: string): AgentProgram {
  const path = yield* findPage(name)
  if (path === null) return nothingDone(`There is no page “${name}”, or several have that name.`)
  const deleted = yield* callOne('delete', { path })
  if (!deleted.isOk) return nothingDone(deleted.message)
  const updated = fieldOf(deleted.output, 'updated')
  const others = Array.isArray(updated) ? updated.map(String) : []
  const kept = others.length === 0 ? '' : ` Brought up to date with it: ${others.slice(0, 20).join(', ')}.`
  return { title: `Delete ${path}`, summary: `Deleted ${path}, as asked.${kept}` }
}
