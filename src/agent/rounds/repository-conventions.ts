import { openCommitTree } from '../../git/commit-tree.ts'
import type { CodeHost } from '../../codehost/code-host.ts'
import { decodeText } from '../tools/text-file.ts'

/** A file in which a repository tells its own conventions. */
export interface Convention {
  path: string
  /** The commit that it was read from. */
  commit: string
  text: string
}

export interface RepositoryConventions {
  conventions: Convention[]
  /** The template of pull requests; null where there is none. */
  template: string | null
}

/** In the order in which they are told. Names differ in case between repositories. */
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
 * Reads what a repository tells those who write for it: from its default branch only, at one commit, so that nobody
 * steers a job by a branch that was not merged.
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

/** A link and its target hold the same text, which is told once. */
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
