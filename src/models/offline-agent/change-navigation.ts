import type { AgentProgram, ProgramOutcome } from './agent-program.ts'
import { callOne, describeMissing, findPage, readField, refuseProgram } from './find-page.ts'

/** Adds a redirect from an old address to a page or another address. */
export function* addRedirect(from: string, to: string): AgentProgram {
  const made = yield* callOne('navigation', { action: 'redirect', path: from, to })
  if (!made.isOk) return refuseProgram(made.message)
  if (isUnchanged(made)) {
    const notes = readField(made.output, 'notes')
    const reason = Array.isArray(notes) ? notes.map(String).join(' ') : ''
    return refuseProgram(reason === '' ? `${from} is redirected already.` : reason)
  }
  return { title: `Redirect ${from} to ${to}`, summary: `Added a redirect from ${from} to ${to}, as asked.` }
}

/** Adds, moves or removes the entry of a page. */
export function* changeEntry(
  action: 'add' | 'move' | 'remove',
  page: string,
  named: { group?: string; after?: string; before?: string },
): AgentProgram {
  const path = yield* findPage(page)
  if (path === null) return refuseProgram(describeMissing(page))
  const place = { ...named }
  for (const side of ['after', 'before'] as const) {
    const beside = named[side]
    if (beside !== undefined) place[side] = (yield* findPage(beside)) ?? beside
  }
  const isPlaced = Object.keys(place).length > 0
  let made: keyof typeof entryWords = action
  let changed = yield* callOne('navigation', { action, path, ...place })
  // Where it is listed already, adding it changes nothing.
  if (action === 'add' && isPlaced && isUnchanged(changed)) {
    made = 'move'
    changed = yield* callOne('navigation', { action: made, path, ...place })
  }
  if (action === 'move' && !changed.isOk && /is not named in the navigation/.test(changed.message)) {
    made = 'add'
    changed = yield* callOne('navigation', { action: made, path, ...place })
  }
  if (!changed.isOk) return refuseProgram(changed.message)
  if (isUnchanged(changed)) return refuseProgram(`The navigation has ${path} like that already.`)
  const { title, done } = entryWords[made]
  const where = Object.entries(named).map(([how, name]) => ` ${how === 'group' ? 'in' : how} “${name}”`)
  return { title: title(path), summary: `${done(path)}${where.join('')}, as asked.` }
}

function isUnchanged(outcome: ProgramOutcome): boolean {
  const updated = outcome.isOk ? readField(outcome.output, 'updated') : null
  return Array.isArray(updated) && updated.length === 0
}

const entryWords = {
  add: {
    title: (path: string) => `List ${path} in the navigation`,
    done: (path: string) => `Added ${path} to the navigation`,
  },
  move: {
    title: (path: string) => `Move ${path} in the navigation`,
    done: (path: string) => `Moved ${path} in the navigation`,
  },
  remove: {
    title: (path: string) => `Take ${path} out of the navigation`,
    done: (path: string) => `Removed ${path} from the navigation`,
  },
}

/** Renames a group of the navigation. */
export function* renameGroup(group: string, title: string): AgentProgram {
  const changed = yield* callOne('navigation', { action: 'title', group, title })
  if (!changed.isOk) return refuseProgram(changed.message)
  return {
    title: `Rename the group “${group}”`,
    summary: `Renamed the group “${group}” of the navigation to “${title}”, as asked.`,
  }
}
