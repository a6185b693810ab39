import { checkObjectId } from '../object-id.ts'
import { runGit } from '../run-git.ts'
import { normalizeFolder } from '../repository-path.ts'

/** A commit that changed a file. */
export interface FileCommit {
  /** Full id. */
  commit: string
  /** ISO 8601. */
  date: string
  author: string
  title: string
}

/** A line and the commit that wrote it. */
export interface BlamedLine extends FileCommit {
  /** From 1. */
  line: number
  text: string
}

export interface FileHistory {
  /**
   * The newest commits that changed a file, newest first. Renames are not followed.
   *
   * @param path Relative to the site's folder.
   */
  log(path: string, limit: number, signal: AbortSignal): Promise<FileCommit[]>
  /**
   * Authors of lines of the file at the commit.
   *
   * @returns Null if the repository here has too little of its past to tell, or the file is not in the commit.
   */
  blame(path: string, lines: { from: number; to: number }, signal: AbortSignal): Promise<BlamedLine[] | null>
}

export interface HistoryPlace {
  gitDirectory: string
  /** Full id of the commit to look back from. */
  commit: string
  /** The folder that paths are relative to; empty for the root. */
  subdirectory: string
}

const timeoutMs = 20_000
const format = '%H%x00%cI%x00%an%x00%s'

/** Reads the past of files from commits; nothing is checked out. */
export function openFileHistory({ gitDirectory, commit, subdirectory }: HistoryPlace): FileHistory {
  const revision = checkObjectId(commit)
  const folder = normalizeFolder(subdirectory)
  const inRepository = (path: string) => (folder === '' ? path : `${folder}/${path}`)
  const run = (args: readonly string[], signal: AbortSignal) => runGit({ gitDirectory, args, signal }, { timeoutMs })
  return {
    async log(path, limit, signal) {
      const flags = [`--format=${format}`, `--max-count=${limit}`, '--no-color', '--no-ext-diff', '--no-textconv']
      const spec = `:(top,literal)${inRepository(path)}`
      const { exitCode, stdout } = await run(['log', ...flags, revision, '--', spec], signal)
      return exitCode === 0 ? parseLog(stdout.toString('utf8')) : []
    },
    async blame(path, { from, to }, signal) {
      const flags = ['--line-porcelain', '-L', `${from},${to}`, '--no-textconv']
      const { exitCode, stdout } = await run(['blame', ...flags, revision, '--', inRepository(path)], signal)
      return exitCode === 0 ? parseBlame(stdout.toString('utf8')) : null
    },
  }
}

function parseLog(output: string): FileCommit[] {
  return output.split('\n').flatMap((line) => {
    const [commit = '', date = '', author = '', title = ''] = line.split('\0')
    return commit === '' ? [] : [{ commit, date, author, title }]
  })
}

/** Each line has a header `<commit> <old line> <line>`, fields, and the text behind a tab. */
function parseBlame(output: string): BlamedLine[] {
  const lines: BlamedLine[] = []
  let fields = new Map<string, string>()
  let header: readonly string[] = []
  for (const row of output.split('\n')) {
    if (row.startsWith('\t')) {
      const seconds = Number(fields.get('committer-time') ?? 0)
      const date = new Date(seconds * 1000).toISOString()
      const [commit = '', , line = '0'] = header
      const [author = '', title = ''] = [fields.get('author'), fields.get('summary')]
      lines.push({ commit, date, author, title, line: Number(line), text: row.slice(1) })
      fields = new Map()
    } else if (/^[0-9a-f]{40,64} \d+ \d+/.test(row)) header = row.split(' ')
    else fields.set(row.split(' ', 1)[0] ?? '', row.slice(row.indexOf(' ') + 1))
  }
  return lines
}
