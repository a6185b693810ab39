import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { suiteBounds, suiteTestKey, suiteTestSchema } from '../../contract/suite.ts'
import type { TestResult } from './suite-report.ts'

const baselineSchema = z.object({
  failing: z.array(suiteTestSchema.pick({ question: true, version: true })).max(suiteBounds.testsMax),
})

/**
 * Reads the tests that may fail.
 *
 * @returns Their keys.
 * @throws {AppError} `invalid_request` if the file is missing or invalid.
 */
export async function readBaseline(file: string): Promise<ReadonlySet<string>> {
  const advice = 'Write a new one with --update-baseline.'
  const text = await readFile(file, 'utf8').catch(() => {
    throw new AppError('invalid_request', `The baseline ${file} cannot be read. ${advice}`)
  })
  try {
    return new Set(baselineSchema.parse(JSON.parse(text)).failing.map(suiteTestKey))
  } catch {
    throw new AppError('invalid_request', `The baseline ${file} is invalid. ${advice}`)
  }
}

/** Writes the failing tests, in the order of the suite. */
export async function writeBaseline(
  file: string,
  results: readonly Pick<TestResult, 'test' | 'failures'>[],
): Promise<void> {
  const failing = results
    .filter(({ failures }) => failures.length > 0)
    .map(({ test: { question, version } }) => ({ question, version }))
  await writeFile(file, `${JSON.stringify({ failing } satisfies z.input<typeof baselineSchema>, null, 2)}\n`)
}
