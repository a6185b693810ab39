import type { AgentProgram } from './agent-program.ts'
import { callOne, describeMissing, findPage, readField, refuseProgram, textOf } from './find-page.ts'

/** Moves or renames a page; links to it are kept. */
export function* movePage(name: string, wanted: string, isRename: boolean): AgentProgram {
  const from = yield* findPage(name)
  if (from === null) return refuseProgram(describeMissing(name))
  const target = chooseTarget(from, wanted, isRename)
  const moved = yield* callOne('move', { from, to: target })
  if (!moved.isOk) return refuseProgram(moved.message)
  // The tool may place it among the pages of the site.
  const to = textOf(moved.output, 'to') || target
  const updated = readField(moved.output, 'updated')
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

export function* deletePage(name: string): AgentProgram {
  const path = yield* findPage(name)
  if (path === null) return refuseProgram(describeMissing(name))
  const deleted = yield* callOne('delete', { path })
  if (!deleted.isOk) return refuseProgram(deleted.message)
  const updated = readField(deleted.output, 'updated')
  const others = Array.isArray(updated) ? updated.map(String) : []
  const kept = others.length === 0 ? '' : ` Brought up to date with it: ${others.slice(0, 20).join(', ')}.`
  return { title: `Delete ${path}`, summary: `Deleted ${path}, as asked.${kept}` }
}
