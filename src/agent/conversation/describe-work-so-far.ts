import type { AgentPlanItem } from '../../contract/agent-job-event.ts'
import type { OverlayChange } from '../../git/overlay/overlay.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'

const pathsMax = 500

/** Paragraphs that name the files of a job, by what it has done rather than by what the model says. */
export function listFiles(transcript: ChatPrompt, changes: readonly Pick<OverlayChange, 'path' | 'kind'>[]): string[] {
  const changed = new Set(changes.map(({ path }) => path))
  const read = [...new Set(transcript.flatMap(listReadPaths))].filter((path) => !changed.has(path))
  return [
    ...describe(
      'Changed so far',
      changes.map(({ kind, path }) => `${path} (${kind})`),
    ),
    ...describe('Read and not changed', read),
  ]
}

const planSigns = { open: '[ ]', doing: '[~]', done: '[x]' } as const

/** A paragraph with the plan, or none. */
export function describePlan(plan: readonly AgentPlanItem[]): string[] {
  const items = plan.map(({ state, text }) => `${planSigns[state]} ${text}`)
  return items.length === 0 ? [] : [`The plan:\n${items.join('\n')}`]
}

function describe(heading: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const left = paths.length - pathsMax
  const more = left > 0 ? `\nand ${left} more` : ''
  return [`${heading}, ${paths.length} files:\n${paths.slice(0, pathsMax).join('\n')}${more}`]
}

function listReadPaths(message: ChatPrompt[number]): string[] {
  if (message.role !== 'assistant') return []
  return message.content.flatMap((part) => {
    if (part.type !== 'tool-call' || part.toolName !== 'read') return []
    const { path = null, paths = null } = typeof part.input === 'object' ? { ...part.input } : {}
    return [path, ...(Array.isArray(paths) ? paths : [])].filter((name) => typeof name === 'string')
  })
}
