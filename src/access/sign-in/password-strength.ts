import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { AppError } from '../../contract/app-error.ts'

/** Of 0 to 4. Below it, somebody who steals the hashes finds the password in hours. */
const scoreMin = 3

/** What comes after only makes it harder, and the estimate, which nothing else runs beside, costs more than linear time. */
const charsJudged = 40

let estimator: Promise<ZxcvbnFactory> | undefined

/**
 * Refuses a password that is among the common ones, a pattern of the keyboard, a repetition, or made of what is known
 * of its user.
 *
 * @param known What an attacker would try first: the user's name and e-mail address.
 * @throws {AppError} `invalid_request` with a detail for `password`.
 */
export async function requireStrongPassword(password: string, known: readonly string[]): Promise<void> {
  // The lists of common passwords are read only when somebody sets one.
  estimator ??= loadEstimator()
  const parts = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((text) => text.length > 2)
  const { score } = (await estimator).check(password.slice(0, charsJudged), ['docent', ...parts])
  if (score >= scoreMin) return
  const message = 'is easy to guess. Use four or more words that have nothing to do with each other'
  throw new AppError('invalid_request', `The password ${message}.`, { details: [{ path: 'password', message }] })
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, common] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs })
}
