import { createGitRepository, type GitRepository } from '../support/git-repository.ts'

/** A site whose pages all say which revision they are of, so that a mixture of two shows in one look. */
export interface ChangingSite {
  repository: GitRepository
  /** Commits the next revision. @returns its number. */
  advance(): Promise<number>
}

const pageCount = 60

/** Every page holds this, so that one query finds them all. */
export const commonWord = 'chaosword'

/** A page that only this revision has: it is deleted by the next one. */
export function passingPage(revision: number): string {
  return `/passing-${revision}`
}

export async function createChangingSite(): Promise<ChangingSite> {
  const repository = await createGitRepository()
  let revision = 0
  const advance = async () => {
    revision++
    for (let page = 0; page < pageCount; page++) {
      await repository.write(
        `page-${page}.md`,
        `# Page ${page}\n\nThe ${commonWord} of page ${page} is revision${revision}x.\n`,
      )
    }
    await repository.write(`passing-${revision}.md`, `# Passing\n\nThe ${commonWord} passes in revision${revision}x.\n`)
    if (revision > 1) repository.git(['rm', '--quiet', '--force', `passing-${revision - 1}.md`])
    repository.commit()
    return revision
  }
  await advance()
  return { repository, advance }
}

/** What one look at the site's answers shows. */
export interface Look {
  /** The revisions that the passages are of, each once. */
  revisions: number[]
  paths: string[]
}

/** @param passages Texts of passages and the paths of their pages. */
export function judgePassages(passages: readonly { content: string; path: string }[]): Look {
  const found = passages.map(({ content }) => Number(/revision(\d+)x/.exec(content)?.[1]))
  return { revisions: [...new Set(found)], paths: passages.map(({ path }) => path) }
}
