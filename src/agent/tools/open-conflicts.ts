import type { AgentToolDeps, AgentToolState } from './agent-tool.ts'

/** Conflicts with the base branch that the work has neither written nor declared right. Paths from the root. */
export function listOpenConflicts(
  { conflicts }: Pick<AgentToolState, 'conflicts'>,
  { overlay, subdirectory }: Pick<AgentToolDeps, 'overlay' | 'subdirectory'>,
): string[] {
  const prefix = subdirectory === '' ? '' : `${subdirectory}/`
  const written = overlay.writtenFiles()
  return conflicts.filter((path) => !path.startsWith(prefix) || !written.has(path.slice(prefix.length)))
}
