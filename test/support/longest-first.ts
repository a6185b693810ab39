import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose few lines start processes, kill them and wait for what becomes of the work. */
const slowFolders = /\/test\/(?:chaos|soak|fuzz)\//

/**
 * Starts the longest files first, so that none runs alone at the end. Where vitest has not measured them yet, as in a fresh clone,
 * it takes the largest for the longest.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slowFolders.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
