import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A copy of the working tree, with the dependencies of the original, in which files may be changed. */
export interface ScratchTree {
  folder: string
  /** For files that tests leave behind; removed with the copy. */
  temporary: string
  write(path: string, text: string): void
  remove(): void
}

/** Copies all tracked and untracked files that git does not ignore. */
export function createScratchTree(root: string): ScratchTree {
  const base = mkdtempSync(join(tmpdir(), 'docent-mutants-'))
  const folder = join(base, 'tree')
  const temporary = join(base, 'tmp')
  mkdirSync(temporary)
  for (const path of listFiles(root, '--cached', '--others', '--exclude-standard'))
    cpSync(join(root, path), join(folder, path), { verbatimSymlinks: true })
  // Dependencies, Node and build output: read, never written by tests.
  for (const path of listFiles(root, '--others', '--ignored', '--exclude-standard', '--directory')) {
    if (!/(?:^|\/)(?:node_modules|\.node|dist)\/$/.test(path)) continue
    const link = join(folder, path.slice(0, -1))
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, path), link)
  }
  return {
    folder,
    temporary,
    write: (path, text) => writeFileSync(join(folder, path), text),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Existing files only: git also lists those deleted but not yet committed. */
function listFiles(root: string, ...options: string[]): string[] {
  const list = (...more: string[]) =>
    execFileSync('git', ['ls-files', '-z', ...more], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
      .split('\0')
      .filter((path) => path !== '')
  const deleted = new Set(list('--deleted'))
  return list(...options).filter((path) => !deleted.has(path))
}
