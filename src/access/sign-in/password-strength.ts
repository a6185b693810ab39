import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { AppError } from '../../contract/app-error.ts'

/** 0 to 4. Below it, an attacker with the hashes cracks the password within hours. */
const scoreMin = 3

/** Characters beyond only add strength, and the estimate blocks the event loop for more than linear time. */
const charsJudged = 40

let estimator: Promise<ZxcvbnFactory> | undefined

/**
 * Refuses common passwords, keyboard patterns, repetitions, and passwords derived from what is known about the user.
 *
 * @param known What an attacker would try first: the user's name and e-mail address.
 * @throws {AppError} `invalid_request` with a detail for `password`.
 */
export async function requireStrongPassword(password: string, known: readonly string[]): Promise<void> {
  // Loads the lists of common passwords only when a password is set.
  estimator ??= loadEstimator()
  const parts = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((text) => text.length > 2)
  const { score } = (await estimator).check(password.slice(0, charsJudged), ['docent', ...parts])
  if (score >= scoreMin) return
  const message = 'is easy to guess. Use four or more unrelated words'
  throw new AppError('invalid_request', `The password ${message}.`, { details: [{ path: 'password', message }] })
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, common] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs })
}
