import { AppError } from '../../contract/app-error.ts'
import type { Overlay } from '../../git/overlay/overlay.ts'
import { getContextRepository } from '../../store/sites/context-repositories.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { ContextFiles } from './context-files.ts'
import type { ContextPin } from './pin-contexts.ts'

/**
 * The paths that a job's overlay rejects, so that no tool writes to read-only repositories.
 *
 * @param paths The files of the documentation, whose existing folders stay writable.
 */
export function listReservedPaths(pins: readonly ContextPin[], paths: readonly string[]): string[] {
  const taken = firstParts(paths)
  return pins.map(({ name }) => `@${name}`).filter((folder) => !taken.has(folder))
}

/**
 * The files of a round's context repositories. One that is named like a folder of the documentation is not readable,
 * because its paths would be ambiguous.
 */
export function openContextFiles(
  { store, contexts }: Pick<AgentDeps, 'store' | 'contexts'>,
  pins: readonly ContextPin[],
  overlay: Overlay,
): ContextFiles {
  const taken = pins.length === 0 ? new Set<string>() : firstParts(overlay.paths())
  const isHidden = ({ name }: ContextPin) => taken.has(`@${name}`)
  const problem = 'has the name of a folder of the documentation. Give the context repository another name.'
  const hidden = pins.filter(isHidden).map((pin) => ({ ...pin, commit: null, problem }))
  const readable = pins.filter((pin) => !isHidden(pin))
  return new ContextFiles({ readable, hidden }, async (pin, signal) => {
    const context = await getContextRepository(store.durable, pin.id)
    if (context === null || context.source.location !== pin.repository) {
      throw new AppError('invalid_request', `@${pin.name} was removed or changed since the work began.`)
    }
    return contexts.open(context, pin.commit, signal)
  })
}

function firstParts(paths: readonly string[]): Set<string> {
  return new Set(paths.map((path) => path.split('/', 1)[0]?.toLowerCase() ?? ''))
}
