import { openCommitTree } from '../../git/trees/commit-tree.ts'
import type { CodeHost } from '../../codehost/code-host.ts'
import { decodeText } from '../../git/trees/decode-text.ts'

/** A file that describes a repository's conventions. */
export interface Convention {
  path: string
  /** The commit that it was read from. */
  commit: string
  text: string
}

export interface RepositoryConventions {
  conventions: Convention[]
  /** The pull-request template; null if there is none. */
  template: string | null
}

/** By priority. Compared in lower case, because spelling differs between repositories. */
const conventionFiles = [
  '.mintlify/agents.md',
  'agents.md',
  'claude.md',
  'gemini.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  'contributing.md',
]

const templateFiles = ['.github/pull_request_template.md', 'docs/pull_request_template.md', 'pull_request_template.md']

const fileCharsMax = 12_000
const allCharsMax = 24_000

/**
 * Reads a repository's conventions for contributors, only from the default branch, so that an unmerged branch cannot
 * steer a job.
 */
export async function readConventions(host: CodeHost, signal: AbortSignal): Promise<RepositoryConventions> {
  const { commit } = await host.resolveBranch(null, signal)
  const base = await host.openBase(commit, signal)
  const tree = await openCommitTree({ repository: base.gitDirectory, ref: commit, subdirectory: '' }, signal)
  try {
    const byName = new Map(tree.paths.map((path) => [path.toLowerCase(), path]))
    const read = async (name: string) => {
      const path = byName.get(name)
      const text = path === undefined ? null : decodeText(await tree.read(path))
      return path === undefined || text === null || text.trim() === '' ? null : { path, commit, text }
    }
    const found = (await Promise.all(conventionFiles.map(read))).filter((file) => file !== null)
    const template = (await Promise.all(templateFiles.map(read))).find((file) => file !== null)
    return { conventions: bound(found), template: template?.text.slice(0, fileCharsMax) ?? null }
  } finally {
    tree.close()
    await base.close()
  }
}

/** Drops duplicates, such as a symbolic link and its target. */
function bound(files: readonly Convention[]): Convention[] {
  const kept: Convention[] = []
  let chars = 0
  for (const file of files) {
    const text = file.text.slice(0, Math.min(fileCharsMax, allCharsMax - chars))
    if (text === '' || kept.some((other) => other.text === text)) continue
    chars += text.length
    kept.push({ ...file, text })
  }
  return kept
}
